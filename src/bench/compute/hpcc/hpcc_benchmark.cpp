// The benchmark `hpcc`: all tests of the HPC Challenge in one launch, in HPCC's order and with its sizes.
//
// Work model: that of each test, see its own benchmark. A phase is a test and form: "star-dgemm", "single-copy", "fft";
// those of global tests have no prefix, those of HPCC's second series of random numbers begin with "lcg-".

#include <algorithm>
#include <memory>

#include "bench/case_file.hpp"
#include "bench/compute/hpcc/hpcc_input.hpp"
#include "bench/compute/hpcc/hpcc_summary.hpp"
#include "bench/compute/hpcc/hpcc_tests.hpp"
#include "bench/compute/hpcc/time_budget.hpp"
#include "bench/compute/linear/rank_memory.hpp"
#include "bench/compute/linear/test_sample.hpp"
#include "bench/measure.hpp"
#include "bench/progress.hpp"
#include "comm/collective_error.hpp"
#include "core/error.hpp"
#include "core/interrupt.hpp"
#include "core/join.hpp"
#include "core/own_file.hpp"
#include "core/terminal_text.hpp"
#include "core/text_file.hpp"

namespace weir {
namespace {

/// Passes on what a test writes, with its phases' full names, as samples of the whole.
class TestLines final : public LineSink {
  public:
    TestLines(LineSink& lines, HpccSummary& summary, HpccTest const& test, std::uint64_t repetition)
        : lines_(lines), summary_(summary), test_(test), repetition_(repetition) {}

    void write(Json const& line) override {
        auto renamed = line;
        renamed["phase"] = test_.phase.empty() ? test_.prefix + line.at("phase").get<std::string>() : test_.phase;
        renamed["repetition"] = repetition_;
        if (test_.benchmark == "rings") {
            renamed["details"]["rules"] = baseline;
        }
        summary_.add(renamed);
        lines_.write(renamed);
    }

    [[nodiscard]] bool has_lost() const override { return lines_.has_lost(); }

  private:
    LineSink& lines_;
    HpccSummary& summary_;
    HpccTest const& test_;
    std::uint64_t repetition_;
};

class HpccJob final : public Job {
  public:
    static constexpr BenchmarkFacts facts{.name = "hpcc", .summary = "all tests of the HPC Challenge in one launch"};

    void declare(OptionSet& options) override {
        constexpr std::uint64_t most = 4096;
        options.group("tests");
        options.add("tests", tests_, "names of the tests to run; none: all");
        options.group("size");
        memory_.declare(options);
        options.add("time_budget", time_budget_,
                    "sizes that take so long for all tests, instead of those that fill the memory; 0: no matter",
                    {0.0, {}});
        options.add("seed", setting_.seed, "of all random numbers");
        options.group("distribution");
        options.add("block", setting_.block, "rows and columns of a block of HPL and PTRANS", {std::uint64_t{1}, most});
        options.add("grid_rows", setting_.grid_rows, "rows of their grid of ranks; 0: nearest to square");
        options.group("libraries");
        options.add("blas", setting_.blas, "name or path of the BLAS; auto: the first that is found");
        options.add("threads", setting_.threads, "threads of the BLAS on each rank", {std::uint64_t{1}, most});
        options.add("transforms", setting_.transforms, "auto: FFTW where it can be loaded, else plain; or as of fft");
        options.add("stores", setting_.stores, "of STREAM: ordinary, or non-temporal: past the caches",
                    {"ordinary", "non-temporal"});
        options.group("files of HPCC's own program");
        options.add("input", input_, "a file hpccinf.txt, for sizes, grid and HPL's algorithm");
        options.add("output", output_, "writes the summary of hpccoutf.txt to a file of this name, which is not there");
        options.group("measuring");
        repetitions_.declare(options);
    }

    [[nodiscard]] Json describe(std::uint64_t ranks) override {
        auto setting = setting_;
        setting.bytes_of_rank = memory_.of_rank_here(ranks);
        if (!input_.empty()) {
            apply(read_named_file(input_, "the input of HPCC", "Give the path of a hpccinf.txt."), ranks, setting);
        }
        static_cast<void>(chosen(setting, ranks));
        // Each test has its memory while it runs; none needs more than HPL and PTRANS, but for the tables of updates.
        return describe_without_files(setting.bytes_of_rank);
    }

    void run(JobContext& context) override {
        auto const& comm = context.comm;
        auto const setting = complete(comm);
        run_together(comm, [&] {
            validate(output_.empty() || !comm.is_root() || !is_there(output_), "the file " + output_ + " is there",
                     "Weir writes no file that it has not made", "remove it, or give another --output");
        });
        HpccSummary summary;
        auto const save = [&](bool success) {
            run_together(comm, [&] {
                if (comm.is_root() && !output_.empty()) {
                    write_new_file(output_, summary.text(comm.size(), success));
                }
            });
        };
        try {
            time_budget_.value > 0 ? run_in_time(context, summary, setting) : run_all(context, summary, setting);
        } catch (Error const&) {
            save(false);
            throw;
        }
        save(true);
    }

  private:
    /// Takes what the file asks for. Local.
    std::vector<std::string> apply(std::string const& text, std::uint64_t ranks, HpccSetting& setting) const {
        auto input = parse_hpcc_input(text, input_);
        validate(input.grid_rows * input.grid_columns == ranks,
                 fmt::format("{} asks for a grid of {} x {} ranks", input_, input.grid_rows, input.grid_columns),
                 fmt::format("there are {}", ranks), "start as many, or change P and Q");
        setting.block = input.block;
        setting.grid_rows = input.grid_rows;
        setting.hpl_size = input.size;
        setting.hpl = std::move(input.algorithm);
        setting.bytes_of_rank = input.size * input.size * sizeof(double) / ranks;
        return input.left_out;
    }

    /// The options, the memory, and what the input file says. Collective.
    [[nodiscard]] HpccSetting complete(Communicator const& comm) const {
        auto setting = setting_;
        setting.large_pages = memory_.pages() == Pages::large;
        setting.bytes_of_rank = memory_.of_rank(comm);
        setting.ranks = comm.size();
        std::string text;
        run_together(comm, [&] {
            if (comm.is_root() && !input_.empty()) {
                text = read_named_file(input_, "the input of HPCC", "Give the path of a hpccinf.txt.");
            }
        });
        text = comm.broadcast(text);
        std::vector<std::string> left_out;
        run_together(comm, [&] {
            validate(input_.empty() || time_budget_.value == 0, "--input and --time-budget exclude each other",
                     "each says how large the tests are", "leave one of them out");
            if (!input_.empty()) {
                left_out = apply(text, comm.size(), setting);
            }
            static_cast<void>(chosen(setting, comm.size()));
        });
        if (comm.is_root() && !left_out.empty()) {
            say("note: of " + input_ + ", Weir leaves out " + join(left_out, "; "));
        }
        return setting;
    }

    [[nodiscard]] std::vector<HpccTest> chosen(HpccSetting setting, std::uint64_t ranks) const {
        setting.ranks = ranks;
        auto tests = hpcc_tests(setting);
        if (tests_.empty()) {
            return tests;
        }
        std::vector<std::string> names;
        std::transform(tests.begin(), tests.end(), std::back_inserter(names),
                       [](auto const& test) { return test.name; });
        for (auto const& name : tests_) {
            validate(std::find(names.begin(), names.end(), name) != names.end(),
                     "there is no test '" + name + "' with " + std::to_string(ranks) + " ranks", "",
                     "take some of: " + join(names, ", "));
        }
        std::erase_if(tests, [&](HpccTest const& test) {
            return std::find(tests_.begin(), tests_.end(), test.name) == tests_.end();
        });
        return tests;
    }

    void run_all(JobContext& context, HpccSummary& summary, HpccSetting const& setting) const {
        auto const tests = chosen(setting, setting.ranks);
        Progress progress(place_for_progress(context), context.clock);
        repetitions_.each(context.clock, [&](Turn const& turn) {
            for (std::size_t i = 0; i < tests.size(); ++i) {
                progress.tell({i + 1, tests.size(), tests[i].name}, false);
                run_test(context, summary, turn.repetition, tests[i]);
            }
        });
    }

    /// Small sizes first, to know how long the tests take; then all but HPL, of sizes that leave it half of the time;
    /// then HPL, for what is left.
    void run_in_time(JobContext& context, HpccSummary& summary, HpccSetting setting) const {
        auto const& comm = context.comm;
        TimeBudget budget(time_budget_.value, context.clock, comm);
        auto const most_bytes = setting.bytes_of_rank;
        Progress progress(place_for_progress(context), context.clock);
        auto const run_timed = [&](HpccTest const& test, std::optional<std::uint64_t> repetition) {
            budget.time(test, [&] { run_test(context, summary, repetition, test); });
        };
        setting.planning_s = budget.planning_s();
        setting.bytes_of_rank = std::min(TimeBudget::first_bytes, most_bytes);
        for (auto more = true; more; more = budget.wants_larger(setting.bytes_of_rank, most_bytes)) {
            for (auto const& test : chosen(setting, comm.size())) {
                progress.tell({0, 1, test.name + ", small, to learn how long it takes"}, false);
                if (test.growth > 0 || !budget.knows(test.name)) {
                    run_timed(test, {});
                }
            }
            budget.tried(setting.bytes_of_rank);
        }
        setting.bytes_of_rank = budget.bytes(most_bytes);
        auto tests = chosen(setting, comm.size());
        for (std::size_t i = 0; i < tests.size(); ++i) {
            if (tests[i].name == "hpl") {
                constexpr double share_of_try = 0.1;  // its rate grows with its size
                tests[i].options["size"] = budget.hpl_size(setting, most_bytes, share_of_try);
                run_timed(tests[i], {});
                tests[i].options["size"] = budget.hpl_size(setting, most_bytes, 1);
            }
            progress.tell({i + 1, tests.size(), tests[i].name}, false);
            run_timed(tests[i], 0);
        }
        for (std::uint64_t repetition = 1; budget.has_much_left(); ++repetition) {
            for (auto const& test : tests) {
                if (budget.has_time_for(test.name)) {
                    run_timed(test, repetition);
                }
            }
        }
    }

    static Progress::Where place_for_progress(JobContext const& context) {
        return weir::place_for_progress(context.comm.is_root(), context.case_id == command_line_case);
    }

    /// Without a repetition: not reported.
    static void run_test(JobContext& context, HpccSummary& summary, std::optional<std::uint64_t> repetition,
                         HpccTest const& test) {
        run_together(context.comm, [] { throw_if_interrupted(); });
        auto const job = Benchmarks::instance().find(test.benchmark)->make_job();
        OptionSet options;
        job->declare(options);
        options.set_all(test.options);
        NoLines nothing;
        TestLines named(context.lines, summary, test, repetition.value_or(0));
        LineSink& lines = repetition ? static_cast<LineSink&>(named) : nothing;
        JobContext own{context.comm, context.clock, lines, context.case_id, context.benchmark};
        job->run(own);
    }

    std::vector<std::string> tests_;
    RankMemory memory_;
    Seconds time_budget_{};
    HpccSetting setting_;
    std::string input_;
    std::string output_;
    Repetitions repetitions_;
};

JobRegistration<HpccJob> const hpcc_registration;

}  // namespace
}  // namespace weir
