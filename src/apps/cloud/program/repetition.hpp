#pragma once

#include <filesystem>

#include "apps/cloud/dump/dumps.hpp"
#include "apps/cloud/program/cloud_options.hpp"
#include "apps/cloud/program/progress.hpp"
#include "apps/cloud/program/run_result.hpp"
#include "bench/benchmark.hpp"

namespace weir::cloud {

/// What a rank needs for so many cells: the state, the potential's levels, an array of a dump.
std::uint64_t memory_bytes(Index cells);

/// Error (cannot_run) if so many ranks of this node, with so many cells each, do not find enough of it free. Local.
void check_memory(Index cells, std::uint64_t ranks_of_node);

/// Carries a run out once, with its files in a directory. Its members are collective; an error of any rank is thrown on
/// all.
class Repetition {
  public:
    /// Error (usage) as Decomposition and Dumps.
    Repetition(CloudOptions const&, JobContext const&, std::filesystem::path directory);

    /// Error (cannot_run) if the file system fails or the gas does; (interrupted) after a step.
    void run();

    /// What was measured; of a run that failed, the parts that it had finished.
    [[nodiscard]] RunResult result() const;

  private:
    [[nodiscard]] State begin();
    [[nodiscard]] State read(std::filesystem::path const& file);
    void compute(State);
    void only_dump(State);
    void advance(Simulation&);
    bool dump_if_due(State const&, bool at_any_rate);
    void check_resolution(Peak const&, State const&);
    [[nodiscard]] Standing standing(State const&, double dt, Peak const&) const;
    [[nodiscard]] double now_s() const { return clock_.now_s(); }

    CloudOptions const& options_;
    Communicator comm_;
    Clock& clock_;
    Decomposition where_;
    Physics physics_;
    std::filesystem::path directory_;
    std::optional<Dumps> dumps_;
    Progress progress_;
    Index last_step_ = 0;
    double started_s_ = 0;
    double aside_s_ = 0;  ///< taken by what is no part of the run
    RunResult result_;
};

}  // namespace weir::cloud
