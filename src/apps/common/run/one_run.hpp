#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "apps/common/run/application.hpp"
#include "apps/common/run/marked_phase.hpp"
#include "apps/common/run/pattern_of_dumps.hpp"
#include "bench/progress.hpp"
#include "comm/communicator.hpp"
#include "core/clock.hpp"
#include "core/error.hpp"
#include "storage/engine/engine.hpp"

namespace weir {

/// Writes the dumps of a run and reads its restart. Byte files are identical for all ranks and strategies; files of
/// formats have the same arrays. All members are collective, and throw the same Error on all ranks; a stop request is
/// deferred until a dump is complete.
class DumpWriter {
  public:
    /// May an existing file that this object has not created be replaced? Throws Error if not. Local.
    using InTheWay = std::function<void(std::filesystem::path const&, DumpStrategy const&)>;

    /// `directory` must exist.
    DumpWriter(DumpPlan, DumpStrategy, InTheWay, Communicator, std::filesystem::path directory, Clock&);

    /// Called with each file that it is about to make, on this rank. Local.
    void before_making(std::function<void(std::filesystem::path const&)> told) { before_making_ = std::move(told); }

    /// Called on the first rank before the first file of a dump is made, with the dump's plan; throws Error if it must
    /// not be made. Local.
    using BeforeDump = std::function<void(DumpPlan const&, DumpNumber const&)>;
    void before_dump(BeforeDump asked) { before_dump_ = std::move(asked); }

    /// Before a run, refuses (Error, cannot run) if its dumps would replace files that they must not. Checks at most
    /// the first thousand dumps. The run's dumps are numbered after those before it.
    void check_places(DumpTimes const&);

    /// If the application's plan says so, lasting files are written under another name and renamed when complete.
    void dump(Program&);

    /// The input file, or else only the lasting files of a dump. Before any dump with another plan, as the next.
    void dump_restart(Program&);

    /// From the plan's file in this directory, or from another file.
    void restart(Program&, std::optional<std::filesystem::path> const& file = {});

    /// This rank's calls so far; with the two-phase library also the seeks of a program with file pointers. Local.
    [[nodiscard]] Tally const& calls() const { return calls_; }

    /// The requests of all ranks so far. Local, as the next.
    [[nodiscard]] Amount const& asked() const { return asked_; }
    [[nodiscard]] std::vector<PartFigures> const& parts() const { return parts_; }
    [[nodiscard]] std::vector<PartFigures> const& read_parts() const { return read_parts_; }

    /// The hints that the last file was written with, and the state of each that was asked for. Local.
    [[nodiscard]] HintsInForce const& hints() const { return hints_; }

    /// What dumps without parts cost this rank. Local.
    [[nodiscard]] DumpCosts const& costs() const { return whole_; }
    void forget();

    /// The files that it has created, or begun to, on this rank since the last call, and its lasting ones. Local.
    [[nodiscard]] std::vector<std::filesystem::path> take_made();

  private:
    [[nodiscard]] EngineSettings settings(std::filesystem::path const& directory);
    struct PlannedPhase {  // before the run
        Phase phase;
        Amount asked;                  ///< of all ranks
        std::uint64_t seeks = 0;       ///< of this rank
        char const* marked = nullptr;  ///< as this phase of the run, for `weir trace`
    };
    void plan(DumpPlan);
    void declare_new(DumpNumber const&, bool also_lasting);
    [[nodiscard]] PlannedPhase known(std::string const& name, std::vector<Step>, char const* marked = nullptr) const;
    /// Of this rank, with file pointers; only of the two-phase library's.
    [[nodiscard]] std::uint64_t seeks_in(std::vector<Step> const&) const;
    /// A phase that has run.
    struct PhaseDone {
        Tally made;  ///< calls of this rank
        double elapsed_s = 0;
        DumpCosts costs;  ///< of this rank
    };
    PhaseDone run(Engine&, PlannedPhase const&, Program&);
    /// That failure of these steps, naming the files that they were adding to. Local.
    [[nodiscard]] Error with_extended(Error const& failure, std::vector<Step> const&) const;
    /// Removes the files that this rank has created since it had created so many. Local.
    void remove_incomplete(std::size_t made_before);
    /// Runs a part, and adds to its figures.
    PhaseDone run_part(Engine&, PlannedPhase const&, PartFigures&, Program&);
    void read(Engine&, Program&);
    [[nodiscard]] std::vector<PlannedPhase> known_parts(char const* marked, std::vector<Step> const&,
                                                        std::vector<DumpPart> const&) const;
    /// The size of the file that these steps have left, the one that they created or renamed to last; on rank 0 only.
    [[nodiscard]] std::optional<std::uint64_t> size_of_made(std::vector<Step> const&) const;

    DumpPlan plan_;
    DumpStrategy strategy_;
    InTheWay in_the_way_;
    std::function<void(std::filesystem::path const&)> before_making_;
    BeforeDump before_dump_;
    std::optional<DumpNumber> begins_;  ///< a dump of which no file has been made yet
    Communicator comm_;
    std::filesystem::path directory_;
    Clock& clock_;
    Engine engine_;
    std::vector<FileBounds> bounds_;
    std::vector<PlannedPhase> dump_;     ///< its parts, or all of it
    std::vector<PlannedPhase> restart_;  ///< the same, of the first plan
    PlannedPhase lasting_;               ///< of the first plan
    std::uint64_t number_ = 0;           ///< of the next dump
    std::vector<PartFigures> parts_, read_parts_;
    DumpCosts whole_;  ///< of dumps without parts
    std::vector<std::filesystem::path> made_;
    std::size_t taken_ = 0;  ///< of them, by take_made()
    Tally calls_{};
    HintsInForce hints_;
    Amount asked_{};
};

/// The start of one run.
struct Beginning {
    bool restarted = false;                                  ///< reads a restart first
    std::optional<std::filesystem::path> restart_file = {};  ///< a file other than the directory's own
};

/// Runs a program once: its restart, its steps and its dumps. Its members are collective; an error of any rank is
/// thrown on all.
class OneRun {
  public:
    /// Takes note, on all ranks together, of the files of a dump.
    using Note = std::function<void()>;

    /// Without files if null; `files`, clock and progress must outlive this. A note's time is not the run's.
    OneRun(Program&, DumpWriter* files, Note, Communicator, Clock&, Progress&);

    /// Error (cannot_run) if the file system or the program fails; (interrupted) after a step.
    void run(Beginning const&, DumpTimes const&);

    /// The measurements; of a failed run, those of its finished parts.
    [[nodiscard]] RunFigures figures() const;

  private:
    void begin(Beginning const&);
    void read(Beginning const&);
    bool dump_if_due(DumpTimes const&);
    void dump();

    template <class Work>
    void compute(Work work) {
        MarkedPhase const marked("solve");
        timed(mine_.compute_s, work);
    }

    /// Adds the time of some work to a sum.
    template <class Work>
    void timed(double& sum_s, Work work) {
        auto const from_s = clock_.now_s();
        work();
        sum_s += clock_.now_s() - from_s;
    }

    Program& program_;
    DumpWriter* files_;
    Note note_;
    Communicator comm_;
    Clock& clock_;
    Progress& progress_;
    RunFigures mine_;
    double aside_s_ = 0;  ///< time that is not the run's
};

}  // namespace weir
