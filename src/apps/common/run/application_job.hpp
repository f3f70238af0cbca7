#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "apps/common/run/application.hpp"
#include "apps/common/run/one_run.hpp"
#include "apps/common/run/pattern_of_dumps.hpp"
#include "apps/common/run/strategy.hpp"
#include "bench/begun_files.hpp"
#include "bench/benchmark.hpp"
#include "bench/made_files.hpp"
#include "bench/repetitions.hpp"
#include "bench/sample_line.hpp"

namespace weir {

// The samples of a repetition, see docs/reference/results.md, from the figures of all ranks.

/// Of the restart. Local, as all here.
Sample read_sample(RunFigures const&, Program const&, std::uint64_t repetition);

/// Of the dumps.
Sample write_sample(RunFigures const&, Program const&, std::uint64_t repetition);

/// Of one part of the dumps, which write, or of the restart.
Sample part_sample(RunFigures const&, PartFigures const&, Program const&, std::uint64_t repetition, IoCall);

/// Of the complete run.
Sample run_sample(RunFigures const&, Program const&, std::uint64_t repetition);

/// Runs an application: computes, dumps, continues from a restart, for each repetition. Samples: `read` of the restart,
/// `write` of the dumps and under their names of their parts, `run` of everything.
class ApplicationJob final : public Job {
  public:
    explicit ApplicationJob(std::unique_ptr<Application>);

    void declare(OptionSet&) override;
    [[nodiscard]] Json describe(std::uint64_t ranks) override;
    [[nodiscard]] CacheFill cache_fill(std::uint64_t ranks) override;
    [[nodiscard]] std::optional<Json> document(std::optional<std::uint64_t> ranks) override;
    void run(JobContext&) override;

  private:
    [[nodiscard]] bool reads() const { return restarted_ || !restart_.empty() || application_->reads_input(); }
    /// Does it make the restart, or the input, that it begins with?
    [[nodiscard]] bool makes_restart() const { return restarted_ || (application_->reads_input() && restart_.empty()); }
    /// Of runs from the initial state.
    [[nodiscard]] DumpTimes usual_times(std::uint64_t steps) const {
        return {0, steps, dump_every_, {}, application_->usual().dumps_initial};
    }
    [[nodiscard]] bool has_files() const { return reads() || dump_every_ > 0; }
    void validate_choices(std::uint64_t ranks) const;
    void check_count(DumpPlan const&) const;
    void check_directories(JobContext const&) const;

    /// Tells the application on every rank what rank 0 sees of the restart, if there is one. Collective.
    void look_at_restart(std::uint64_t ranks, Communicator const&) const;

    /// Starts at the step of the restart that the options name, which it reads. Local.
    [[nodiscard]] DumpTimes times(DumpPlan const&) const;
    [[nodiscard]] DumpPlan plan(std::uint64_t ranks) const { return application_->plan(ranks, strategy_.name()); }
    [[nodiscard]] Pattern pattern(DumpPlan const&, DumpTimes const&) const;
    /// Lowered, if it is known how the strategy makes these requests.
    [[nodiscard]] Pattern as_made(DumpPlan const&, Pattern const& asked) const;
    /// The same, also for plans that change from dump to dump: it computes as the run would.
    [[nodiscard]] Pattern pattern_of_run(std::uint64_t ranks) const;
    [[nodiscard]] std::uint64_t memory_bytes(std::uint64_t ranks) const;
    /// Error (cannot run) if the free memory of this node is not enough for this many ranks. Local.
    void check_memory(std::uint64_t ranks, std::uint64_t ranks_of_node) const;

    /// Where the files of a repetition are.
    struct FilesOfRepetition {
        std::filesystem::path directory;
        BegunFiles* begun = nullptr;  ///< null: in a directory of its own
    };
    void repeat(JobContext&, Turn const&, FilesOfRepetition const&) const;
    /// What such a run takes on its file system at least, as far as that is known before it. Local, as the next two.
    [[nodiscard]] std::uint64_t room_of_run(DumpPlan const&, DumpTimes const&) const;
    [[nodiscard]] bool checks_space() const;
    void refuse_without_room(DumpPlan const&, DumpTimes const&, std::filesystem::path const& directory) const;
    void repeat_apart(JobContext&, Turn const&) const;
    /// Touches memory for the files that the run will leave in the page cache. Collective.
    void warm_page_cache(JobContext&, DumpTimes const&) const;
    void carry_out(JobContext&, Turn const&, DumpWriter*, OneRun::Note const&, DumpTimes const&) const;
    void check_in_the_way(std::filesystem::path const&, DumpStrategy const&, MadeFiles const*, BegunFiles const*) const;
    [[nodiscard]] DumpTimes times_of_all(DumpPlan const&, Communicator const&) const;
    void report(JobContext&, std::uint64_t repetition, RunFigures const&, Program const&, bool is_whole) const;

    std::unique_ptr<Application> application_;
    StrategyChoice strategy_;
    Repetitions measuring_;
    std::uint64_t steps_, dump_every_;
    std::string restart_;
    bool restarted_ = false;
    bool keep_ = true;
    bool check_space_ = true;
    bool foreign_folder_ = false;
    bool emit_pattern_ = false;
    std::uint64_t pattern_ranks_ = 0;
    std::string directory_ = ".";
};

/// `static RegisterApplication<Heat> registration;` registers an application, with static constants `name` and
/// `summary`, as a benchmark.
template <class Type>
class ApplicationBenchmark final : public Benchmark {
  public:
    [[nodiscard]] std::string_view name() const override { return Type::name; }
    [[nodiscard]] std::string_view summary() const override { return Type::summary; }
    [[nodiscard]] std::unique_ptr<Job> make_job() const override {
        return std::make_unique<ApplicationJob>(std::make_unique<Type>());
    }
};
template <class Type>
using RegisterApplication = Registration<Benchmark, ApplicationBenchmark<Type>>;

}  // namespace weir
