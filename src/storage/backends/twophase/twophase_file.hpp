#pragma once

#include <optional>

#include "storage/backends/posix/posix_file.hpp"
#include "storage/backends/twophase/request_plan.hpp"

namespace weir {

/// A file descriptor of each rank. Requests that ranks make together go through the two-phase library; others go
/// straight to it.
class TwophaseFile final : public OpenFile {
  public:
    /// Collective over the request's communicator where accesses will be; then, if it fails on one rank, it throws on
    /// all.
    TwophaseFile(OpenRequest const&, array::PlanOptions const&);

    void set_collective(bool) override;
    void write(Operation const&, std::span<std::byte const> data) override;
    std::size_t read(Operation const&, std::span<std::byte> data) override;
    /// Of requests that no other rank takes part in.
    void write_all(Operations&, std::span<std::byte const> data, Meter&) override;
    void read_all(Operations&, std::span<std::byte> data, Meter&) override;
    void write_pieces(std::span<Piece const>, std::span<std::byte const> data) override;
    std::size_t read_pieces(std::span<Piece const>, std::span<std::byte> data) override;
    void preallocate(std::uint64_t bytes) override { file_->preallocate(bytes); }
    void sync() override;
    [[nodiscard]] bool syncs_together() const override { return together_.has_value(); }
    void close() override { file_->close(); }

    /// What was chosen for the last requests of each direction, how many plans were made, and for how many requests.
    [[nodiscard]] Hints hints() const override;

  private:
    /// What there is where ranks make requests together.
    struct Together {
        Crew crew;
        RequestPlan writing, reading;
        Together(OpenRequest const&, array::PlanOptions const&);
    };

    Communicator comm_;
    std::optional<PosixFile> file_;
    std::optional<Together> together_;
    bool collective_ = false;  ///< are requests exchanged now?
};

}  // namespace weir
