// The benchmark `hpcc`: all tests of the HPC Challenge in one launch, in HPCC's order and with its sizes.
//
// Work model: that of each test, see its own benchmark. A phase is a test and form: "star-dgemm", "single-copy", "fft";
// those of global tests have no prefix, those of HPCC's second series of random numbers begin with "lcg-".

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

#include "bench/compute/hpcc/hpcc_input.hpp"
#include "bench/compute/hpcc/hpcc_summary.hpp"
#include "bench/compute/hpcc/hpcc_tests.hpp"
#include "bench/compute/hpcc/summary_file.hpp"
#include "bench/compute/hpcc/time_budget.hpp"
#include "bench/compute/linear/blas.hpp"
#include "bench/compute/linear/process_grid.hpp"
#include "bench/compute/linear/rank_memory.hpp"
#include "bench/compute/linear/test_sample.hpp"
#include "bench/enough_memory.hpp"
#include "bench/measure.hpp"
#include "bench/progress.hpp"
#include "bench/run_cases.hpp"
#include "comm/collective_error.hpp"
#include "core/error.hpp"
#include "core/interrupt.hpp"
#include "core/join.hpp"
#include "core/proc.hpp"
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
        auto const within_node = renamed["details"].value("nodes", std::uint64_t{0}) == 1;
        if (auto const where = first_screen_of(renamed["phase"].get<std::string>(), within_node)) {
            renamed["metrics"].at(0)["first_screen"] = to_json(*where);
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
        options.add("tests", tests_, "names of tests, as hpl,star-dgemm,global-fft; none: all; a wrong one lists them");
        options.group("size");
        memory_.declare_size(options);
        options.add("pages", setting_.pages,
                    "of 2 MiB for all tests (large), for none (usual), or for those that ask for them by themselves");
        options.add("time_budget", time_budget_,
                    "how long all tests together may take, which sets their sizes; 0: sizes fill the memory",
                    {0.0, {}});
        options.add("seed", setting_.seed, "of all random numbers");
        options.group("distribution");
        options.add("block", setting_.block,
                    fmt::format("rows and columns of a block of HPL and PTRANS; 0: {}, or less for a smaller matrix",
                                hpl_block),
                    {{}, most});
        options.add("grid_rows", setting_.grid_rows, "rows of their grid of ranks; 0: nearest to square");
        options.group("libraries");
        options.add("blas", setting_.blas, "name or path of the BLAS; auto: the first that is found",
                    Outside{Reach::code});
        options.add("threads", setting_.threads, "threads of the BLAS on each rank", {std::uint64_t{1}, most});
        options.add("transforms", setting_.transforms, "auto: FFTW where it can be loaded, else plain; or as of fft",
                    Outside{Reach::code, {"fftw", "plain"}});
        options.add("stores", setting_.stores, "of STREAM: ordinary, or non-temporal: past the caches",
                    {"ordinary", "non-temporal"});
        options.group("files of HPCC's own program");
        options.add("input", input_, "a file hpccinf.txt, for sizes, grid and HPL's algorithm", Outside{Reach::input});
        options.add("output", output_, "makes a new file of this name, with the summary of hpccoutf.txt",
                    Outside{Reach::output});
        options.group("measuring");
        repetitions_.declare(options);
    }

    [[nodiscard]] Json describe(std::uint64_t ranks) override {
        auto setting = setting_;
        setting.ranks = ranks;
        setting.bytes_of_rank = memory_.of_rank_here(ranks);
        if (auto const free = free_memory_of_each(ranks)) {
            leave_room(setting, *free);
        }
        refuse_beside_input();
        if (!input_.empty()) {
            apply(text_of_input(), ranks, setting);
        }
        static_cast<void>(chosen(setting, ranks));
        // Each test has its memory while it runs; none needs more than HPL and PTRANS, but for the tables of updates.
        return describe_without_files(setting.bytes_of_rank);
    }

    void run(JobContext& context) override {
        auto const& comm = context.comm;
        take_buffers_of_blas();
        auto const setting = complete(comm);
        HpccCourse course;
        std::unique_ptr<SummaryFile> file;
        run_together(comm, [&] {
            if (comm.is_root() && !output_.empty()) {
                file = std::make_unique<SummaryFile>(output_, course.summary.text(comm.size(), false));
            }
        });
        course.save = [&](bool is_last) {
            run_together(comm, [&] {
                if (file != nullptr) {
                    file->write(course.summary.text(comm.size(), is_last && course.failures.empty()), is_last);
                }
            });
        };
        time_budget_.value > 0 ? run_in_time(context, course, setting) : run_all(context, course, setting);
        course.save(true);
        if (comm.is_root() && context.case_id == command_line_case) {
            for (auto const& line : course.summary.main_results(comm.size())) {
                say(line);
            }
        }
        tell(context, course.failures);
    }

  private:
    struct HpccCourse {
        HpccSummary summary;
        std::vector<Diagnosis> failures;  ///< of tests; the others go on
        std::function<void(bool is_last)> save = {};
    };

    /// A line for each, and the last as this job's. Throws if there is any.
    static void tell(JobContext& context, std::vector<Diagnosis> const& failures) {
        for (std::size_t i = 0; i + 1 < failures.size(); ++i) {
            context.lines.write(failure_line(context.case_id, context.benchmark, failures[i]));
            if (context.comm.is_root()) {
                say("error: " + std::string(Error(failures[i]).what()));
            }
        }
        if (!failures.empty()) {
            throw Error(failures.back());
        }
    }

    /// Local.
    [[nodiscard]] std::string text_of_input() const {
        return read_named_file(input_, "the input '" + input_ + "'", "Give the path of a hpccinf.txt.");
    }

    /// Takes what the file asks for. Local.
    std::vector<std::string> apply(std::string const& text, std::uint64_t ranks, HpccSetting& setting) const {
        auto input = parse_hpcc_input(text, input_);
        validate(input.grid_rows * input.grid_columns == ranks,
                 fmt::format("lines 11 and 12 of {} ask for a grid of {} x {} ranks", input_, input.grid_rows,
                             input.grid_columns),
                 fmt::format("there are {}", ranks), "start as many, or change P and Q");
        setting.block = input.block;
        setting.grid_rows = input.grid_rows;
        setting.hpl_size = input.size;
        setting.hpl = std::move(input.algorithm);
        setting.bytes_of_rank = input.size * input.size * sizeof(double) / ranks;
        return input.left_out;
    }

    /// Local.
    void refuse_beside_input() const {
        HpccSetting const usual;
        for (auto const& [is_asked, name] : {std::pair(time_budget_.value > 0, "time-budget"),
                                             {memory_.is_asked(), "memory"},
                                             {setting_.block != usual.block, "block"},
                                             {setting_.grid_rows != usual.grid_rows, "grid-rows"}}) {
            validate(input_.empty() || !is_asked, fmt::format("--input and --{} exclude each other", name),
                     "the file says how large the tests and their blocks and grid are", "leave one of them out");
        }
    }

    /// Before the memory that is left is counted, where it counts: the buffers stay. What is wrong with the BLAS is
    /// told by the tests that need it. Local.
    void take_buffers_of_blas() const {
        try {
            if (address_space_left()) {
                static_cast<void>(Blas::load(setting_.blas, setting_.threads));
            }
        } catch (Error const&) {
            return;
        }
    }

    /// In the memory of a rank that is free now: tests before leave libraries' buffers, and HPL has panels. Local.
    void leave_room(HpccSetting& setting, std::uint64_t free_bytes) const {
        auto const left = without_room(without_room(free_bytes));
        setting.free_bytes = left / 10 * 9;
        if (!memory_.is_asked()) {
            setting.bytes_of_rank = std::min(setting.bytes_of_rank, left);
        }
    }

    /// The options, the memory, and what the input file says. Collective.
    [[nodiscard]] HpccSetting complete(Communicator const& comm) const {
        auto setting = setting_;
        setting.bytes_of_rank = memory_.of_rank(comm);
        leave_room(setting, free_memory_of_rank(comm));
        setting.ranks = comm.size();
        std::string text;
        run_together(comm, [&] {
            if (comm.is_root() && !input_.empty()) {
                text = text_of_input();
            }
        });
        text = comm.broadcast(text);
        std::vector<std::string> left_out;
        run_together(comm, [&] {
            refuse_beside_input();
            if (!input_.empty()) {
                left_out = apply(text, comm.size(), setting);
            }
            static_cast<void>(setting.grid().rows(comm.size()));
            for (auto const& test : chosen(setting, comm.size())) {
                if (test.name == "ptrans" && test.options.at("block") < setting.block) {
                    left_out.push_back(fmt::format("blocks of {} in PTRANS, whose matrix is of order {}", setting.block,
                                                   test.options.at("size").dump()));
                }
            }
        });
        refuse_more_memory(comm, setting.bytes_of_rank, [&](std::uint64_t bytes) {
            auto const order = std::sqrt(static_cast<double>(bytes * comm.size()) / sizeof(double));
            return input_.empty() ? fmt::format("--memory {}MiB", (bytes * comm.node().size()) >> 20U)
                                  : fmt::format("N = {:.0f} in {}", std::floor(order), input_);
        });
        if (comm.is_root() && !left_out.empty()) {
            say("note: of " + (input_.empty() ? "the options" : input_) + ", Weir leaves out " + join(left_out, "; "));
        }
        return setting;
    }

    [[nodiscard]] std::vector<HpccTest> chosen(HpccSetting setting, std::uint64_t ranks) const {
        setting.ranks = ranks;
        return chosen_tests(setting, tests_);
    }

    static std::string standing(std::size_t test, std::vector<HpccTest> const& tests) {
        return fmt::format("test {} of {}: {}", test + 1, tests.size(), tests[test].name);
    }

    void run_all(JobContext& context, HpccCourse& course, HpccSetting const& setting) const {
        auto const tests = chosen(setting, setting.ranks);
        Progress progress(place_for_progress(context), context.clock);
        auto const passes = repetitions_.passes();
        std::uint64_t pass = 0;
        repetitions_.each(context.clock, [&](Turn const& turn) {
            ++pass;
            auto const of_pass = passes > 1 ? fmt::format("pass {} of {}, ", pass, passes) : "";
            for (std::size_t i = 0; i < tests.size(); ++i) {
                progress.tell_at_once(of_pass + standing(i, tests));
                run_test(context, course, turn.repetition, tests[i]);
            }
        });
    }

    /// Small sizes first, to know how long the tests take; then all but HPL, of sizes that leave it half of the time;
    /// then HPL, for what is left.
    void run_in_time(JobContext& context, HpccCourse& course, HpccSetting setting) const {
        auto const& comm = context.comm;
        TimeBudget budget(time_budget_.value, context.clock, comm);
        auto const most_bytes = setting.bytes_of_rank;
        Progress progress(place_for_progress(context), context.clock);
        auto const run_timed = [&](HpccTest const& test, std::optional<std::uint64_t> repetition) {
            budget.time(test, [&] { run_test(context, course, repetition, test); });
        };
        setting.planning_s = budget.planning_s();
        setting.bytes_of_rank = std::min(TimeBudget::first_bytes, most_bytes);
        for (auto more = true; more; more = budget.wants_larger(setting.bytes_of_rank, most_bytes)) {
            for (auto const& test : chosen(setting, comm.size())) {
                progress.tell("a try of " + test.name + " with small sizes");
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
            progress.tell_at_once(standing(i, tests));
            run_timed(tests[i], 0);
        }
        for (std::uint64_t repetition = 1; budget.has_much_left(); ++repetition) {
            for (auto const& test : tests) {
                if (budget.has_time_for(test.name)) {
                    run_timed(test, repetition);
                }
            }
        }
        constexpr double much_too_long = 1.05;
        auto const used = budget.share_used();
        if (used > much_too_long && comm.is_root()) {
            say(
                fmt::format("warning: the tests took {:.2g} times the time budget (it is short, or other programs keep "
                            "the cores busy). Give a longer one, or measure on an idle node.",
                            used));
        }
    }

    /// Without a repetition: not reported. A test that cannot run, or whose result is wrong, leaves a failure. What is
    /// known so far is saved, since the launch may be killed in the next test.
    void run_test(JobContext& context, HpccCourse& course, std::optional<std::uint64_t> repetition,
                  HpccTest const& test) const {
        auto const before = course.summary.count();
        try {
            run_one(context, course.summary, repetition, test);
        } catch (Error const& error) {
            auto diagnosis = error.diagnosis();
            if (diagnosis.exit_code == ExitCode::interrupted || diagnosis.exit_code == ExitCode::internal) {
                throw;
            }
            if (diagnosis.exit_code == ExitCode::wrong_data) {
                course.summary.mark_wrong_after(before);
            }
            if (diagnosis.problem == does_not_fit) {  // tests advise a --size, which is theirs
                diagnosis.suggestion = input_.empty() ? "Take more nodes, or less --memory."
                                                      : "Take more nodes, or a smaller N in " + input_ + ".";
            }
            diagnosis.problem = test.name + ": " + diagnosis.problem;
            auto const is_known = std::any_of(course.failures.begin(), course.failures.end(),
                                              [&](auto const& one) { return one.problem == diagnosis.problem; });
            if (!is_known) {
                course.failures.push_back(std::move(diagnosis));
            }
        }
        if (repetition) {
            course.save(false);
        }
    }

    static void run_one(JobContext& context, HpccSummary& summary, std::optional<std::uint64_t> repetition,
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
