#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/common/run/dump_times.hpp"
#include "apps/common/run/restart_reader.hpp"
#include "apps/common/run/run_figures.hpp"
#include "bench/metric.hpp"
#include "core/json.hpp"
#include "core/option.hpp"
#include "pattern/pattern.hpp"
#include "storage/engine/data_source.hpp"

namespace weir {

/// Consecutive steps of a dump, or of reading a restart, that are timed by themselves and have a sample of their own.
struct DumpPart {
    std::string name;       ///< the phase of its samples
    std::size_t begin = 0;  ///< index of its first step
};

/// An application's storage requests for a dump and for a restart, on a given number of ranks.
struct DumpPlan {
    Pattern shape;  ///< name, ranks, files with their arrays, partitions; without phases
    /// By file: does each dump replace it, under its name? The others are new in each dump, and named after it
    /// (name_after).
    std::vector<bool> lasting;
    std::vector<Step> dump;
    std::vector<Step> restart;      ///< reads one file; none: a run cannot begin with a restart
    std::vector<DumpPart> parts{};  ///< in order, the first one from the first step; none: the dump is not divided
    std::vector<DumpPart> restart_parts{};  ///< the same of the restart
    std::vector<Step> input{};   ///< makes the input file of a run that names none; see Application::reads_input
    std::uint64_t grows_by = 0;  ///< bytes that each dump after the first adds to lasting files
};

/// The values of the kit's options unless others are given.
struct UsualRun {
    std::uint64_t steps = 20;
    std::uint64_t dump_every = 5;
    Method method = Method::two_phase;
    std::string backend = "twophase";
    bool dumps_initial = false;  ///< before the first step too
};

/// One run of an application on the ranks of a launch: its state, as the data of its arrays. Created again for each
/// repetition.
class Program : public DataSource {
  public:
    /// Called once, before the first step: the state is the initial one or that of a restart, which may still be
    /// refused (Error, usage). Counts as computing. Collective.
    virtual void begin() {}

    /// One time step. Collective.
    virtual void advance() = 0;

    /// Steps from the initial state to this one; for a restart, known after begin(). Local.
    [[nodiscard]] virtual std::uint64_t step() const = 0;

    /// Has it ended before its last step? Then it dumps once more. The same on all ranks. Local.
    [[nodiscard]] virtual bool has_ended() const { return false; }

    /// Called before each dump, as a part of it: computes values that need all ranks. Collective.
    virtual void prepare_dump() {}

    /// The plan of its next dump if that differs from the application's: other arrays and partitions of the same files,
    /// with the same parts. Local.
    [[nodiscard]] virtual std::optional<DumpPlan> next_plan(std::string const& /*backend*/) const { return {}; }

    /// Called before the first step and after the last one, for its own figures. Not timed. Collective.
    virtual void observe() {}

    /// Its progress, besides the step: "time 0.5, dt 0.01". Local.
    [[nodiscard]] virtual std::string standing([[maybe_unused]] double compute_s) const { return {}; }

    /// Metrics besides the time of the run, from the figures of all ranks. Local, as all that follow.
    [[nodiscard]] virtual std::vector<Metric> metrics(RunFigures const&) const { return {}; }

    /// Labels of all samples, such as its cells.
    [[nodiscard]] virtual Json labels() const { return Json::object(); }

    /// Adds details of the run that only its own figures use.
    virtual void complete([[maybe_unused]] Json& details, RunFigures const&) const {}

    /// Warnings of the run, each with code, problem, why and advice.
    [[nodiscard]] virtual Json warnings() const { return Json::array(); }
};

/// A parallel application that computes and dumps. Its options determine its plan and its programs. All members except
/// start() are local.
class Application {
  public:
    virtual ~Application() = default;

    /// Called in the group `run`; may begin other groups.
    virtual void declare(OptionSet&) = 0;

    /// Refuses options that contradict each other, or do not fit this many ranks (Error, usage). `whole_planes`: each
    /// rank writes the same number of planes of cells (Method::two_phase).
    virtual void validate_choices(std::uint64_t ranks, bool whole_planes) const = 0;

    /// Refuses a back-end that cannot follow the options (Error, usage).
    virtual void validate_backend(BackendKind const&) const {}

    /// Through this back-end. If the plan changes from dump to dump, that of the first state.
    [[nodiscard]] virtual DumpPlan plan(std::uint64_t ranks, std::string const& backend) const = 0;

    /// The plans of all dumps, if they change: computed as a run of one process would. Otherwise none. Error (usage) if
    /// they depend on the data of a restart.
    [[nodiscard]] virtual std::vector<DumpPlan> plans(std::uint64_t /*ranks*/, std::string const& /*backend*/,
                                                      DumpTimes const&) const {
        return {};
    }

    /// Can the sizes of its dumps change from one to the next?
    [[nodiscard]] virtual bool dumps_vary() const { return false; }

    [[nodiscard]] virtual UsualRun usual() const { return {}; }

    /// Does every run begin by reading an input file, which is the restart of its plan? The option `input` then names
    /// it, in place of `restart`; a run without one makes it first, which is not counted.
    [[nodiscard]] virtual bool reads_input() const { return false; }

    /// The number of ranks given by its options, for a pattern printed without a launch.
    [[nodiscard]] virtual std::uint64_t own_ranks() const { return 1; }

    /// Memory of each of these ranks, without the buffers for dumps.
    [[nodiscard]] virtual std::uint64_t memory_bytes(std::uint64_t ranks) const = 0;

    /// What ranks have to know of a restart before its plan and its programs are made: read by rank 0. Error (usage)
    /// as step_of().
    [[nodiscard]] virtual std::vector<std::byte> outline_of(RestartFile const&) const { return {}; }

    /// Called with it on every rank, before plan(), step_of() and start(). Error (usage) if a run with these
    /// options cannot continue from it.
    virtual void know([[maybe_unused]] std::vector<std::byte> const& outline) {}

    /// The step of a restart, after know(). Error (usage), naming the file, unless a run can continue from it.
    [[nodiscard]] virtual std::uint64_t step_of(RestartFile const&) const = 0;

    /// The number of dumps up to that restart, if it says so: the next one has this number.
    [[nodiscard]] virtual std::optional<std::uint64_t> dumps_before() const { return {}; }

    /// Refuses a last step that its dumps cannot represent (Error, usage).
    virtual void check_last_step(std::uint64_t) const {}

    /// Does it recognise its files by their content? Otherwise a file next to them lists them (MadeFiles).
    [[nodiscard]] virtual bool knows_its_files() const { return false; }

    /// Error (cannot run) if an existing file was not written by such a run, and must not be replaced by a dump of this
    /// strategy.
    virtual void check_in_the_way(std::filesystem::path const&, Strategy const&) const;

    /// A program before its first step; with `goes_on` it will get a restart. Collective.
    [[nodiscard]] virtual std::unique_ptr<Program> start(Communicator const&, bool goes_on) const = 0;
};

}  // namespace weir
