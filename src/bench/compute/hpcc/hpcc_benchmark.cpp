// The benchmark `hpcc`: all tests of the HPC Challenge in one launch, in HPCC's order and with its sizes.
//
// Work model: that of each test, see its own benchmark. A phase is a test and form: "star-dgemm", "single-copy", "fft";
// those of global tests have no prefix, those of HPCC's second series of random numbers begin with "lcg-".

#include <algorithm>
#include <memory>

#include "bench/compute/hpcc/hpcc_tests.hpp"
#include "bench/compute/linear/rank_memory.hpp"
#include "bench/measure.hpp"
#include "comm/collective_error.hpp"
#include "core/error.hpp"
#include "core/interrupt.hpp"
#include "core/join.hpp"

namespace weir {
namespace {

/// Passes on what a test writes, with its phases' full names, as samples of the whole.
class TestLines final : public LineSink {
  public:
    TestLines(LineSink& lines, std::string prefix, std::uint64_t repetition)
        : lines_(lines), prefix_(std::move(prefix)), repetition_(repetition) {}

    void write(Json const& line) override {
        auto renamed = line;
        renamed["phase"] = prefix_ + line.at("phase").get<std::string>();
        renamed["repetition"] = repetition_;
        lines_.write(renamed);
    }

    [[nodiscard]] bool has_lost() const override { return lines_.has_lost(); }

  private:
    LineSink& lines_;
    std::string prefix_;
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
        options.add("seed", setting_.seed, "of all random numbers");
        options.group("distribution");
        options.add("block", setting_.block, "rows and columns of a block of HPL and PTRANS", {std::uint64_t{1}, most});
        options.add("grid_rows", setting_.grid_rows, "rows of their grid of ranks; 0: nearest to square");
        options.group("libraries");
        options.add("blas", setting_.blas, "name or path of the BLAS; auto: the first that is found");
        options.add("threads", setting_.threads, "threads of the BLAS on each rank", {std::uint64_t{1}, most});
        options.add("transforms", setting_.transforms, "auto: FFTW where it can be loaded, else plain; or as of fft");
        options.group("measuring");
        repetitions_.declare(options);
    }

    [[nodiscard]] Json describe(std::uint64_t ranks) override {
        // Each test has its memory while it runs; none needs more than HPL and PTRANS, but for the tables of updates.
        auto const bytes = memory_.of_rank_here(ranks);
        static_cast<void>(chosen(bytes, ranks));
        return describe_without_files(bytes);
    }

    void run(JobContext& context) override {
        auto const tests = chosen(memory_.of_rank(context.comm), context.comm.size());
        repetitions_.each(context.clock, [&](Turn const& turn) {
            for (auto const& test : tests) {
                run_test(context, turn, test);
            }
        });
    }

  private:
    [[nodiscard]] std::vector<HpccTest> chosen(std::uint64_t bytes_of_rank, std::uint64_t ranks) const {
        auto setting = setting_;
        setting.bytes_of_rank = bytes_of_rank;
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

    static void run_test(JobContext& context, Turn const& turn, HpccTest const& test) {
        run_together(context.comm, [] { throw_if_interrupted(); });
        auto const job = Benchmarks::instance().find(test.benchmark)->make_job();
        OptionSet options;
        job->declare(options);
        options.set_all(test.options);
        NoLines nothing;
        TestLines named(context.lines, test.prefix, turn.repetition.value_or(0));
        LineSink& lines = turn.repetition ? static_cast<LineSink&>(named) : nothing;
        JobContext own{context.comm, context.clock, lines, context.case_id, context.benchmark};
        job->run(own);
    }

    std::vector<std::string> tests_;
    RankMemory memory_;
    HpccSetting setting_;
    Repetitions repetitions_;
};

JobRegistration<HpccJob> const hpcc_registration;

}  // namespace
}  // namespace weir
