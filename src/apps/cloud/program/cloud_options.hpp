#pragma once

#include <optional>

#include "apps/cloud/dump/method.hpp"
#include "apps/cloud/program/problem.hpp"
#include "apps/cloud/simulation.hpp"
#include "bench/repetitions.hpp"
#include "core/option.hpp"
#include "storage/backend_choice.hpp"

namespace weir::cloud {

/// The options of a run of the gas cloud.
class CloudOptions {
  public:
    void declare(OptionSet&);

    /// Refuses what contradicts itself (Error, usage). Local, as all here.
    void validate_choices() const;

    /// Refuses a grid that so many ranks cannot share, with all reasons and what would do (Error, usage).
    void check_fit(Index size) const;

    /// The box is 1 long along x.
    [[nodiscard]] Grid grid() const;

    /// The ranks along x, y and z, where they are asked for.
    [[nodiscard]] std::optional<Triple> ranks() const;

    [[nodiscard]] Physics physics() const;

    /// The back-end that was chosen in place of the two-phase library.
    [[nodiscard]] std::optional<OtherBackend> other_backend() const;

    /// Does it begin by reading a restart?
    [[nodiscard]] bool reads() const { return restarted || !restart.empty(); }
    [[nodiscard]] bool has_files() const { return reads() || dump_every > 0; }

    std::string cells = "128x128x64";
    std::string ranks_along;
    Problem problem;
    std::uint64_t steps = 20;
    std::string restart;
    bool restarted = false;
    bool computes = true;
    bool stops_unresolved = true;
    Gas gas;
    Stop stop;
    std::uint64_t cycles = 60;
    std::uint64_t dump_every = 5;
    Method method = Method::two_phase;
    BackendChoice backend{"twophase", {"twophase"}};  ///< whose options the method sets
    std::string directory = ".";
    bool keep = true;
    bool foreign_folder = false;
    Repetitions measuring;
    bool emit_pattern = false;
};

}  // namespace weir::cloud
