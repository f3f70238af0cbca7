#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "apps/common/run/application.hpp"
#include "apps/common/run/pattern_of_dumps.hpp"
#include "apps/common/run/progress.hpp"
#include "comm/communicator.hpp"
#include "core/clock.hpp"
#include "storage/engine/engine.hpp"

namespace weir {

/// Writes the dumps of a run and reads its restart. Files of plain bytes are the same whatever the ranks and the
/// strategy; of formats, their arrays. All members are collective, and throw the same Error on all ranks; a signal that
/// asks to stop waits until a dump is whole.
class DumpCycle {
  public:
    /// May a file that is there, and that this object has not made, be replaced? Throws Error where not. Local.
    using InTheWay = std::function<void(std::filesystem::path const&, Strategy const&)>;

    /// Files go into `directory`, which is there.
    DumpCycle(DumpPlan, Strategy, InTheWay, Communicator, std::filesystem::path directory, Clock&);

    /// Before a run, refuses (Error, cannot run) what its dumps would replace and may not. Of very many dumps the first
    /// thousand are looked at.
    void check_places(DumpTimes const&) const;

    /// Those that last are written aside, so that what was there stays until the new one is whole, if the application's
    /// plan does so.
    void dump(Program&);

    /// The lasting files alone.
    void dump_restart(Program&);

    /// From the file of the plan in this directory, or from another one.
    void restart(Program&, std::optional<std::filesystem::path> const& file = {});

    /// What this rank has called so far; through the two-phase library also the seeks of a program with file pointers.
    /// Local.
    [[nodiscard]] Tally const& calls() const { return calls_; }

    /// What all ranks have asked for so far. Local.
    [[nodiscard]] Amount const& asked() const { return asked_; }
    void forget();

    /// What it has made, or begun to, on this rank. Local.
    [[nodiscard]] std::vector<std::filesystem::path> const& made() const { return made_; }

  private:
    [[nodiscard]] EngineSettings settings(std::filesystem::path const& directory);
    struct PlannedPhase {  // before the run
        Phase phase;
        Amount asked;             ///< of all ranks
        std::uint64_t seeks = 0;  ///< of this rank
    };
    [[nodiscard]] PlannedPhase known(char const* name, std::vector<Step>) const;
    void run(Engine&, PlannedPhase const&, Program&);

    DumpPlan plan_;
    Strategy strategy_;
    InTheWay in_the_way_;
    Communicator comm_;
    std::filesystem::path directory_;
    Clock& clock_;
    Engine engine_;
    std::vector<FileBounds> bounds_;
    PlannedPhase dump_, lasting_, restart_;
    std::vector<std::filesystem::path> made_;
    Tally calls_{};
    Amount asked_{};
};

/// What one run begins with.
struct Beginning {
    bool restarted = false;                                  ///< reads a restart first
    std::optional<std::filesystem::path> restart_file = {};  ///< another one than the directory's own
};

/// Carries a program out once: its restart, its steps and its dumps. Its members are collective; an error of any rank
/// is thrown on all.
class OneRun {
  public:
    /// Without files where there is no cycle, which outlives this, as do the clock and the progress.
    OneRun(Program&, DumpCycle* files, Communicator, Clock&, Progress&);

    /// Error (cannot_run) if the file system fails or the program does; (interrupted) after a step.
    void run(Beginning const&, DumpTimes const&);

    /// What was measured; of a run that failed, the parts that it had finished.
    [[nodiscard]] RunFigures figures() const;

  private:
    void read(Beginning const&);
    bool dump_if_due(DumpTimes const&);

    /// Adds the time of some work to a sum.
    template <class Work>
    void timed(double& sum_s, Work work) {
        auto const from_s = clock_.now_s();
        work();
        sum_s += clock_.now_s() - from_s;
    }

    Program& program_;
    DumpCycle* files_;
    Communicator comm_;
    Clock& clock_;
    Progress& progress_;
    RunFigures mine_;
};

}  // namespace weir
