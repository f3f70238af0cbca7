#pragma once

#include <optional>

#include "storage/backends/twophase/array_plans.hpp"
#include "storage/backends/twophase/deferred_file.hpp"
#include "storage/backends/twophase/request_plan.hpp"

namespace weir {

/// A shared file. Collective requests go through the two-phase library, arrays with plans that outlive the file; others
/// go directly to a file descriptor. For a file with collective requests rank 0 opens its descriptor at once, the
/// others at first use.
class TwophaseFile final : public OpenFile {
  public:
    /// `plans`: those of the request's ranks, if accesses will be collective; else null. Then also collective over the
    /// request's communicator, and if it fails on one rank, it throws on all.
    TwophaseFile(OpenRequest const&, array::PlanOptions const&, ArrayPlans* plans);

    void set_collective(bool) override;
    void write(Operation const&, std::span<std::byte const> data) override;
    std::size_t read(Operation const&, std::span<std::byte> data) override;
    /// For independent requests.
    void write_all(Operations&, std::span<std::byte const> data, Meter&) override;
    void read_all(Operations&, std::span<std::byte> data, Meter&) override;
    void write_pieces(std::span<Piece const>, std::span<std::byte const> data) override;
    std::size_t read_pieces(std::span<Piece const>, std::span<std::byte> data) override;
    [[nodiscard]] bool takes_parts() const override { return collective_; }
    void write_part(PartRequest const&, std::span<std::byte const> data) override;
    std::size_t read_part(PartRequest const&, std::span<std::byte> data) override;
    void preallocate(std::uint64_t bytes) override { file_.get().preallocate(bytes); }
    void sync() override;
    [[nodiscard]] bool syncs_together() const override { return plans_ != nullptr; }
    void close() override { file_.close(); }

    /// The strategy of the last requests of each direction, the number of plans made, and the number of requests.
    [[nodiscard]] Hints hints() const override;

  private:
    /// For collective requests other than arrays.
    struct CollectiveRequests {
        RequestGroup group;
        RequestPlan writing, reading;
        CollectiveRequests(Communicator const&, std::string const& path, array::PlanOptions const&);
    };

    CollectiveRequests& collective_requests();
    void note_messages(weir_times const& before, weir_times const& now);

    Communicator comm_;
    std::string path_;
    array::PlanOptions const& options_;
    ArrayPlans* plans_;
    CallCounter* counter_;
    DeferredFile file_;
    std::optional<CollectiveRequests> requests_;
    bool collective_ = false;  ///< are requests collective now?
};

}  // namespace weir
