#pragma once

#include <memory>
#include <string>
#include <vector>

#include "apps/common/run/restart_reader.hpp"
#include "apps/common/run/run_figures.hpp"
#include "bench/metric.hpp"
#include "core/json.hpp"
#include "core/option.hpp"
#include "pattern/pattern.hpp"
#include "storage/engine/data_source.hpp"

namespace weir {

/// What an application asks of storage in a dump, and in going on from one, on so many ranks.
struct DumpPlan {
    Pattern shape;  ///< name, ranks, files with their arrays, partitions; without phases
    /// By file: does each dump replace it, under its name? The others are new with each dump, and called after its
    /// step: "field-000005".
    std::vector<bool> lasting;
    std::vector<Step> dump;
    std::vector<Step> restart;  ///< reads one lasting file
};

/// A run of an application on the ranks of a launch: its state, as the data of its arrays. Made again for each
/// repetition.
class Program : public DataSource {
  public:
    /// Once, before the first step: the state is there, the initial one or that of a restart, which may still be
    /// refused (Error, usage). Counts as computing. Collective.
    virtual void begin() {}

    /// A step in time. Collective.
    virtual void advance() = 0;

    /// Steps from the initial state to this one; of a restart, once begin() was called. Local.
    [[nodiscard]] virtual std::uint64_t step() const = 0;

    /// Does it end here, before its last step? Then it dumps once more. The same on all ranks. Local.
    [[nodiscard]] virtual bool has_ended() const { return false; }

    /// Before each dump, as a part of it: what its data need of all ranks. Collective.
    virtual void prepare_dump() {}

    /// Before the first step and after the last one: what its own figures look into. Takes no part in any time.
    /// Collective.
    virtual void observe() {}

    /// Where it stands, besides the step: "time 0.5, dt 0.01". Local.
    [[nodiscard]] virtual std::string standing([[maybe_unused]] double compute_s) const { return {}; }

    /// Metrics besides the time of the run, from the figures of all ranks. Local, as all that follow.
    [[nodiscard]] virtual std::vector<Metric> metrics(RunFigures const&) const { return {}; }

    /// What all samples say of it, such as its cells.
    [[nodiscard]] virtual Json labels() const { return Json::object(); }

    /// Adds what only its own figures look into to the details of the run.
    virtual void complete([[maybe_unused]] Json& details, RunFigures const&) const {}

    /// Of the run, each with code, problem, why and advice.
    [[nodiscard]] virtual Json warnings() const { return Json::array(); }
};

/// A parallel application that computes and dumps. What it declares, it shows in its plan and its programs. All members
/// but start() are local.
class Application {
  public:
    virtual ~Application() = default;

    /// The group `run` is begun; others follow as it likes.
    virtual void declare(OptionSet&) = 0;

    /// Refuses what contradicts itself, or does not fit so many ranks (Error, usage). `whole_planes`: each of them
    /// writes as many planes of cells (Method::two_phase).
    virtual void validate_choices(std::uint64_t ranks, bool whole_planes) const = 0;
    [[nodiscard]] virtual DumpPlan plan(std::uint64_t ranks) const = 0;

    /// The ranks that its options ask for, for a pattern that is printed without a launch.
    [[nodiscard]] virtual std::uint64_t own_ranks() const { return 1; }

    /// What each of so many ranks needs besides the buffers for dumps.
    [[nodiscard]] virtual std::uint64_t memory_bytes(std::uint64_t ranks) const = 0;

    /// The step of a restart. Error (usage), naming the file, unless a run can go on from it.
    [[nodiscard]] virtual std::uint64_t step_of(RestartFile const&) const = 0;

    /// Refuses a last step that its dumps cannot tell (Error, usage).
    virtual void check_last_step(std::uint64_t) const {}

    /// Does it tell its own files by what is in them? Else a file next to them says which they are (MadeFiles).
    [[nodiscard]] virtual bool knows_its_files() const { return false; }

    /// Error (cannot run) where a file is there that is none of a run's, and may not be replaced by a dump of this
    /// strategy.
    virtual void check_in_the_way(std::filesystem::path const&, Strategy const&) const;

    /// A program before its first step; it is to take a restart where it does `goes_on`. Collective.
    [[nodiscard]] virtual std::unique_ptr<Program> start(Communicator const&, bool goes_on) const = 0;
};

}  // namespace weir
