#pragma once

#include <optional>
#include <string>

#include "apps/cloud/dump/cloud_program.hpp"
#include "apps/cloud/problem.hpp"
#include "apps/common/run/application.hpp"

namespace weir::cloud {

/// A gas cloud that collapses under its own gravity, with the dumps and restarts of Thakur, Gropp and Lusk (1996),
/// section 3.2: a dump writes 12 arrays of 4 bytes and 4 of 1 byte per cell, and 6 headers of 24 bytes; a restart reads
/// 24 bytes per cell and a header.
class CloudApplication final : public Application {
  public:
    static constexpr std::string_view name = "cloud";
    static constexpr std::string_view summary =
        "a gas cloud that collapses under its own gravity, with its dumps and restarts";

    void declare(OptionSet&) override;
    void validate_choices(std::uint64_t ranks, bool whole_planes) const override;
    [[nodiscard]] DumpPlan plan(std::uint64_t ranks, std::string const& backend) const override;
    [[nodiscard]] std::uint64_t own_ranks() const override;
    [[nodiscard]] std::uint64_t memory_bytes(std::uint64_t ranks) const override;
    [[nodiscard]] std::uint64_t step_of(RestartFile const&) const override;
    void check_last_step(std::uint64_t) const override;
    [[nodiscard]] bool knows_its_files() const override { return true; }
    void check_in_the_way(std::filesystem::path const&, DumpStrategy const&) const override;
    [[nodiscard]] std::unique_ptr<Program> start(Communicator const&, bool goes_on) const override;

    /// The box has length 1 along x.
    [[nodiscard]] Grid grid() const;

    [[nodiscard]] Physics physics() const;

  private:
    /// The ranks along x, y and z, if requested.
    [[nodiscard]] std::optional<Triple> ranks() const;

    std::string cells_ = "128x128x64";
    std::string ranks_along_;
    Problem problem_;
    bool computes_ = true;
    bool stops_unresolved_ = true;
    Gas gas_;
    Stop stop_;
    std::uint64_t cycles_ = 60;
};

}  // namespace weir::cloud
