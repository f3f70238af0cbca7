#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "array/exchange/exchange.hpp"
#include "array/planner/choose_strategy.hpp"
#include "storage/backends/twophase/posix_sink.hpp"
#include "storage/backends/twophase/request_group.hpp"
#include "storage/backends/twophase/request_shape.hpp"

namespace weir {

/// Carries out collective requests in one direction. A plan is reused if all ranks request the same pieces as before,
/// shifted by the same distance; otherwise a new one is made.
///
/// Construction is local; destruction and every member that says so are collective over the group.
class RequestPlan {
  public:
    RequestPlan(RequestGroup const& group, array::PlanOptions const& options, array::Use use)
        : group_(group), options_(options), use_(use) {}

    /// One request of every rank, for its pieces, in file order; a rank may have none. `data` holds the pieces
    /// consecutively. A failure on this rank is thrown here after all ranks have been served. Collective.
    void write(DeferredFile&, std::span<Piece const>, std::span<std::byte const> data);

    /// Returns the number of bytes before end of file; a failure is thrown on all ranks. Collective.
    std::size_t read(DeferredFile&, std::span<Piece const>, std::span<std::byte> data);

    /// For the record. Local.
    [[nodiscard]] std::uint64_t requests() const { return requests_; }
    [[nodiscard]] std::uint64_t plans() const { return plans_; }
    [[nodiscard]] std::string const& explain() const { return choice_.why; }

  private:
    /// The facts about other ranks' requests that planning needs.
    struct Asked {
        std::vector<Piece> outline;
        std::uint64_t bytes = 0;
        std::uint64_t pieces = 0;
        std::uint64_t most_pieces = 0;  ///< most of any rank
    };

    /// Makes a plan for the ranks' requests if there is none that fits; false if no rank requests anything. Collective.
    bool prepare(std::span<Piece const>);
    [[nodiscard]] bool fits(std::span<Piece const>, std::optional<std::uint64_t> base) const;
    void plan(std::span<Piece const>);
    void throw_trouble() const;
    [[nodiscard]] Asked ask(std::span<Piece const>) const;
    [[nodiscard]] array::ExchangePlan exchange_plan(std::span<Piece const>, Asked const&);
    /// For aggregators; reuses the memory of earlier ones if this rank was among them. Collective.
    [[nodiscard]] std::shared_ptr<array::NodeMemory> memory_for(std::vector<std::uint64_t> const& aggregators);
    [[nodiscard]] array::Strategy const& strategy() const {
        return use_ == array::Use::write ? choice_.write : choice_.read;
    }

    RequestGroup const& group_;
    array::PlanOptions const& options_;
    array::Use use_;
    array::Choice choice_;
    std::optional<RequestShape> shape_;
    std::uint64_t base_ = 0;     ///< where the plan's space begins in the file, in this request
    std::uint64_t planned_ = 0;  ///< where it began when planned
    std::shared_ptr<array::NodeMemory> memory_;
    std::vector<std::uint64_t> aggregators_;   ///< that have memory
    std::uint64_t memory_bytes_ = 0;           ///< per aggregator
    std::optional<array::Exchange> exchange_;  ///< null: each rank accesses the file by itself
    weir_times times_{};
    std::uint64_t requests_ = 0;
    std::uint64_t plans_ = 0;
};

}  // namespace weir
