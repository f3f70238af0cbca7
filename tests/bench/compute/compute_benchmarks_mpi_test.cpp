#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "bench/benchmark.hpp"
#include "bench/compute/hpl/hpl_matrix.hpp"
#include "bench/compute/linear/cache_share.hpp"
#include "bench/compute/linear/numbers.hpp"
#include "bench/compute/linear/rank_memory.hpp"
#include "bench/compute/stream/stream_kernels.hpp"
#include "bench/run_cases.hpp"
#include "core/proc.hpp"
#include "support/limits.hpp"

namespace weir {
namespace {

struct Outcome {
    ExitCode code = ExitCode::fine;
    std::vector<Json> samples;  ///< on rank 0
    std::string problem;        ///< of the first failure; on rank 0
    std::string suggestion;
};

Outcome run_one(std::string const& benchmark, Json options) {
    MonotonicClock clock;
    MemoryLines lines;
    CaseFile file;
    file.warm_memory_bytes = 0;
    file.probe_state = false;
    file.cases = {{"c", benchmark, std::move(options)}};
    Outcome outcome;
    outcome.code = run_cases(file, Communicator::world(), clock, lines);
    for (auto const& line : lines.lines) {
        if (line["kind"] == "sample") {
            outcome.samples.push_back(line);
        } else if (line["kind"] == "failure" && outcome.problem.empty()) {
            outcome.problem = line["problem"];
            outcome.suggestion = line["suggestion"];
        }
    }
    return outcome;
}

/// A small case of each test, and the option that plants an error into it.
struct Small {
    std::string benchmark;
    Json options;
    Json planted;
    std::size_t phases;
};

std::vector<Small> small_cases() {
    std::vector<Small> cases{{"hpl", {{"size", 61}, {"block", 8}}, {{"plant_error", true}}, 1},
                             {"ptrans", {{"size", 61}, {"block", 8}}, {{"plant_error", true}}, 1}};
    for (auto const* sharing : {"star", "single"}) {
        cases.push_back({"dgemm", {{"size", 33}, {"sharing", sharing}}, {{"plant_error", true}}, 1});
        cases.push_back({"stream", {{"size", 1001}, {"times", 2}, {"sharing", sharing}}, {{"plant_error", true}}, 4});
    }
    cases.push_back({"stream", {{"size", 1001}, {"times", 3}, {"stores", "non-temporal"}}, {{"plant_error", true}}, 4});
    for (auto const* sharing : {"global", "star", "single"}) {
        cases.push_back({"random-access", {{"log2_words", 12}, {"sharing", sharing}}, {{"plant_errors", 0.011}}, 1});
        auto const ranks = Communicator::world().size();
        cases.push_back({"fft",
                         {{"size", 8 * ranks * ranks}, {"sharing", sharing}, {"measured", false}},
                         {{"plant_error", true}},
                         1});
    }
    return cases;
}

TEST(ComputeBenchmarks, GiveASampleAPhaseAndCheckIt) {
    for (auto const& one : small_cases()) {
        auto options = one.options;
        options["repetitions"] = 2;
        SCOPED_TRACE(one.benchmark + " " + options.dump());
        auto const found = run_one(one.benchmark, options);
        EXPECT_EQ(found.code, ExitCode::fine) << found.problem;
        if (Communicator::world().is_root()) {
            ASSERT_EQ(found.samples.size(), 2 * one.phases);
            EXPECT_GT(found.samples.front()["metrics"][0]["value"], 0.0);
            EXPECT_EQ(found.samples.front()["benchmark"], one.benchmark);
            auto const by_libraries =
                one.benchmark == "dgemm" || (one.benchmark == "stream" && !options.contains("stores"));
            auto const is_fft_of_one = one.benchmark == "fft" && options["sharing"] != "global";
            EXPECT_EQ(found.samples.front()["details"]["rules"],
                      by_libraries || is_fft_of_one ? "baseline" : "optimized");
        }
    }
}

TEST(ComputeBenchmarks, AreBaselineOnUsualPagesOnly) {
    std::vector<std::pair<std::string, Json>> const baselines{
        {"dgemm", {{"size", 20}}},
        {"stream", {{"size", 100}, {"times", 2}}},
        {"fft", {{"size", 64}, {"sharing", "star"}, {"measured", false}}}};
    for (auto const& [benchmark, options] : baselines) {
        for (auto const large : {false, true}) {
            auto asked = options;
            asked["large_pages"] = large;
            for (auto const& sample : run_one(benchmark, asked).samples) {
                EXPECT_EQ(sample["details"]["rules"], large ? "optimized" : "baseline") << benchmark;
            }
        }
    }
}

/// By chirps, longer than the numbers: for a prime factor of a million.
TEST(ComputeBenchmarks, CountWhatTransformsOfLargePrimesTake) {
    if (Communicator::world().size() > 1) {
        GTEST_SKIP() << "its shape is that of one rank";
    }
    testing::SmallMemory const limited(std::uint64_t{100} << 20U);
    auto const found = run_one("fft", {{"sharing", "global"}, {"library", "plain"}, {"size", 2 * 1'000'003}});
    EXPECT_EQ(found.code, ExitCode::cannot_run);
    EXPECT_EQ(found.problem.rfind("this does not fit into memory", 0), 0U) << found.problem;
}

TEST(ComputeBenchmarks, HoldNoMoreUpdatesThanThereAre) {
    for (auto const* sharing : {"single", "star", "global"}) {
        for (auto const& sample : run_one("random-access", {{"log2_words", 4}, {"sharing", sharing}}).samples) {
            EXPECT_LE(sample["details"]["most_held"], 4 * 16) << sharing;
            EXPECT_GT(sample["details"]["most_held"], 0) << sharing;
        }
    }
    for (auto const& sample : run_one("random-access", {{"log2_words", 2}, {"sharing", "star"}}).samples) {
        EXPECT_EQ(sample["details"]["most_held"], 16);
    }
}

TEST(ComputeBenchmarks, PlantErrorsByTheWordsOfAllRanks) {
    auto const ranks = Communicator::world().size();
    Json const options{{"log2_words", 10}, {"plant_errors", 0.011}};  // 11 words, and 10 may be wrong
    auto const found = run_one("random-access", options);
    EXPECT_EQ(found.code, ExitCode::wrong_data) << ranks << " ranks";
    EXPECT_EQ(run_one("random-access", {{"log2_words", 10}, {"plant_errors", 0.0105}}).code, ExitCode::fine);
    EXPECT_EQ(run_one("random-access", {{"log2_words", 10}, {"plant_errors", 0.0009}}).code, ExitCode::usage);
}

/// The sum of all values of `details.work` with this unit.
double work_of(std::string const& benchmark, Json const& options, std::string const& unit) {
    double sum = 0;
    for (auto const& sample : run_one(benchmark, options).samples) {
        if (sample["details"].contains("work")) {
            sum += sample["details"]["work"].at(unit).get<double>();
        }
    }
    return sum;
}

TEST(ComputeBenchmarks, TellTheWorkOfAllRanks) {
    auto const world = Communicator::world();
    auto const hpl = work_of("hpl", {{"size", 60}, {"block", 8}}, "flop");
    auto const dgemm = work_of("dgemm", {{"size", 33}}, "flop");
    auto const alone = work_of("dgemm", {{"size", 33}, {"sharing", "single"}}, "flop");
    auto const ptrans = work_of("ptrans", {{"size", 61}, {"block", 8}}, "B");
    auto const stream = work_of("stream", {{"size", 1001}, {"times", 3}}, "B");
    auto const stream_alone = work_of("stream", {{"size", 1001}, {"times", 3}, {"sharing", "single"}}, "B");
    if (world.is_root()) {
        auto const ranks = static_cast<double>(world.size());
        EXPECT_DOUBLE_EQ(hpl, 2.0 / 3 * 60 * 60 * 60 + 1.5 * 60 * 60);
        EXPECT_DOUBLE_EQ(dgemm, ranks * 2 * 33 * 33 * 33);
        EXPECT_DOUBLE_EQ(alone, 2.0 * 33 * 33 * 33);
        EXPECT_DOUBLE_EQ(ptrans, 8.0 * 61 * 61);
        EXPECT_DOUBLE_EQ(stream, ranks * 3 * 1001 * (16 + 16 + 24 + 24));
        EXPECT_DOUBLE_EQ(stream_alone, 3.0 * 1001 * (16 + 16 + 24 + 24));
    }
}

/// The mean rate of ranks that each do the same is at least that of the slowest one; their sum, so many times it.
TEST(ComputeBenchmarks, TellTheMeanRateOfRanksByThemselves) {
    auto const ranks = static_cast<double>(Communicator::world().size());
    for (auto const& [benchmark, options, work] :
         {std::tuple<std::string, Json, double>{"random-access", {{"log2_words", 12}}, 4 * 4096},
          {"fft", {{"size", 4096}, {"library", "plain"}}, 5 * 4096 * 12}}) {
        SCOPED_TRACE(benchmark);
        auto star = options;
        star.update({{"sharing", "star"}, {"repetitions", 50}});
        auto least = ranks;  // ranks are hardly ever so unequal, and not in all repetitions
        for (auto const& sample : run_one(benchmark, star).samples) {
            auto const times_the_slowest =
                sample["metrics"][0]["value"].get<double>() * sample["metrics"][1]["value"].get<double>() / work;
            EXPECT_GE(times_the_slowest, 1 - 1e-9);
            least = std::min(least, times_the_slowest);
        }
        EXPECT_TRUE(ranks == 1 || !Communicator::world().is_root() || least < 0.99 * ranks) << least;
    }
}

std::uint64_t memory_of(std::string const& benchmark, Json const& options) {
    auto const job = Benchmarks::instance().find(benchmark)->make_job();
    OptionSet set;
    job->declare(set);
    set.set_all(options);
    constexpr std::uint64_t ranks = 4;
    return job->describe(ranks)["totals"]["memory_bytes_per_rank"].get<std::uint64_t>();
}

TEST(ComputeBenchmarks, DescribeTheMemoryOfOneOfFourRanks) {
    EXPECT_EQ(memory_of("dgemm", {{"size", 33}}), 3U * 8 * 33 * 33);
    EXPECT_EQ(memory_of("stream", {{"size", 1001}}), 3U * 8 * 1001);
    EXPECT_EQ(memory_of("ptrans", {{"size", 64}, {"block", 8}}), 2U * 8 * 32 * 32);
    EXPECT_EQ(memory_of("fft", {{"size", 1024}}), 2U * 16 * 1024 / 4);
    EXPECT_EQ(memory_of("random-access", {{"log2_words", 12}}), 8U * 4096 / 4);
    auto const matrix = HplMatrix::bytes(4096, 64, 2, 2);
    EXPECT_GE(matrix, 8U * 2048 * 2048);
    EXPECT_GT(memory_of("hpl", {{"size", 4096}, {"block", 64}}), matrix) << "with the panels";
    EXPECT_LT(memory_of("hpl", {{"size", 4096}, {"block", 64}}), matrix * 3 / 2);
    for (auto const* sharing : {"star", "single"}) {
        EXPECT_EQ(memory_of("fft", {{"size", 1024}, {"sharing", sharing}}), 2U * 16 * 1024);
        EXPECT_EQ(memory_of("random-access", {{"log2_words", 12}, {"sharing", sharing}}), 8U * 4096);
    }
    // A rank has a quarter of the memory of a node, and no test has more.
    for (auto const& [benchmark, least] :
         {std::pair("hpl", 0.9), {"fft", 1.0}, {"random-access", 1.0}, {"dgemm", 0.9}}) {
        auto const share = static_cast<double>(memory_of(benchmark, {{"memory", 1U << 30U}})) / (1U << 28U);
        EXPECT_GE(share, least) << benchmark;
        EXPECT_LE(share, std::string(benchmark) == "hpl" ? 1.5 : 1) << benchmark;
    }
    EXPECT_EQ(memory_of("random-access", {{"memory", 1U << 30U}, {"sharing", "star"}}), 1U << 28U);
    EXPECT_EQ(memory_of("fft", {{"memory", 1U << 30U}, {"sharing", "star"}}), 1U << 28U);
}

TEST(ComputeBenchmarks, FindAPlantedError) {
    for (auto const& one : small_cases()) {
        auto options = one.options;
        options.update(one.planted);
        SCOPED_TRACE(one.benchmark + " " + options.dump());
        auto const found = run_one(one.benchmark, options);
        EXPECT_EQ(found.code, ExitCode::wrong_data);
        EXPECT_EQ(found.samples.size(), Communicator::world().is_root() ? one.phases : 0) << "what was measured stays";
    }
    for (auto const* sharing : {"star", "single"}) {
        auto const few = run_one("random-access", {{"log2_words", 12}, {"sharing", sharing}, {"plant_errors", 0.009}});
        EXPECT_EQ(few.code, ExitCode::fine) << sharing;
    }
    auto const tolerated = run_one("random-access", {{"log2_words", 12}, {"plant_errors", 0.009}});
    EXPECT_EQ(tolerated.code, ExitCode::fine);
    if (Communicator::world().is_root()) {
        EXPECT_NEAR(tolerated.samples.front()["metrics"][2]["value"], 0.009 * 4096, 4.0);
    }
}

/// Of the product of order n: by how much the planted error is off, over eps n and the size of the terms.
TEST(ComputeBenchmarks, ScaleTheResidualOfAProductByItsOrder) {
    constexpr std::uint64_t n = 33;
    auto const found = run_one("dgemm", {{"size", n}, {"sharing", "single"}, {"plant_error", true}});
    if (!Communicator::world().is_root()) {
        return;
    }
    auto const times_x = [&](std::uint64_t matrix, std::vector<double> const& x) {
        std::vector<double> y(n);
        for (std::uint64_t i = 0; i < n * n; ++i) {
            y[i % n] += CentredRandom(1)(3 * i + matrix) * x[i / n];
        }
        return y;
    };
    std::vector<double> x(n);
    for (std::uint64_t i = 0; i < n; ++i) {
        x[i] = CentredRandom(1, ~std::uint64_t{0})(i);
    }
    auto const product = times_x(0, times_x(1, x));
    auto const before = times_x(2, x);
    double terms = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
        terms = std::max(terms, 1.5 * std::abs(product[i]) + 0.75 * std::abs(before[i]));
    }
    auto const residual = found.samples.at(0)["metrics"][3]["value"].get<double>();
    EXPECT_NEAR(residual * 0x1p-53 * n * terms / std::abs(x[0]), 1, 1e-9);
}

/// HPCC's summary has the error as it is, and the check that over eps ln N.
TEST(ComputeBenchmarks, TellTheErrorOfATransformAsItIsAndScaled) {
    auto const found = run_one("fft", {{"size", 4096}, {"sharing", "single"}, {"library", "plain"}});
    if (Communicator::world().is_root()) {
        auto const error = found.samples.at(0)["details"]["greatest_error"].get<double>();
        auto const scaled = found.samples.at(0)["metrics"][2]["value"].get<double>();
        EXPECT_GT(error, 0);
        EXPECT_NEAR(scaled * 0x1p-53 * std::log(4096.0) / error, 1, 1e-9);
    }
}

/// Its inverse is right: HPCC's check passes it.
TEST(ComputeBenchmarks, FindALibraryThatTransformsNothing) {
    for (auto const* sharing : {"star", "single"}) {
        auto const found = run_one("fft", {{"size", 64}, {"sharing", sharing}, {"library", IDENTITY_FFTW}});
        EXPECT_EQ(found.code, ExitCode::wrong_data) << sharing;
    }
}

TEST(ComputeBenchmarks, WarnWhereCachesAreMeasured) {
    for (auto const* benchmark : {"stream", "random-access", "ptrans", "fft"}) {
        auto const found = run_one(benchmark, {{"memory", 1 << 20}});
        if (Communicator::world().is_root()) {
            EXPECT_EQ(found.samples.at(0)["warnings"].at(0)["code"], "fits-in-cache") << benchmark;
        }
    }
}

TEST(ComputeBenchmarks, CallWeirsOwnTransformsOptimized) {
    auto const found = run_one("fft", {{"size", 64}, {"sharing", "star"}, {"library", "plain"}});
    if (Communicator::world().is_root()) {
        EXPECT_EQ(found.samples.at(0)["details"]["rules"], "optimized");
    }
}

TEST(ComputeBenchmarks, TellNoWrongWordsWithoutACheck) {
    EXPECT_EQ(run_one("random-access", {{"log2_words", 12}, {"check", false}, {"plant_errors", 0.5}}).code,
              ExitCode::usage);
    auto const found = run_one("random-access", {{"log2_words", 12}, {"check", false}});
    if (Communicator::world().is_root()) {
        EXPECT_TRUE(found.samples.at(0)["details"]["wrong"].is_null());
        EXPECT_TRUE(found.samples.at(0)["details"]["check_s"].is_null());
        EXPECT_TRUE(found.samples.at(0)["metrics"][2]["value"].is_null());
    }
}

/// Where all would take longer than is asked for: those until the first look at the clock.
TEST(ComputeBenchmarks, MakeTheUpdatesOfTheTimeThatTheyMayTake) {
    constexpr auto all = 4U << 20U;
    Json options{{"log2_words", 20}, {"longest", 1e-6}};
    for (auto const* sharing : {"global", "star", "single"}) {
        options["sharing"] = sharing;
        auto const few = run_one("random-access", options);
        EXPECT_EQ(few.code, ExitCode::fine) << sharing;
        if (Communicator::world().is_root()) {
            auto const& sample = few.samples.at(0);
            auto const& details = sample["details"];
            EXPECT_GT(details["updates"], 0) << sharing;
            EXPECT_LT(details["updates"], all) << sharing;
            EXPECT_EQ(details["wrong"], 0) << sharing;
            EXPECT_EQ(details["longest_s"], 1e-6) << sharing;
            if (std::string(sharing) == "global") {
                auto const made = sample["metrics"][0]["value"].get<double>() * sample["elapsed_s"].get<double>();
                EXPECT_NEAR(made, details["updates"].get<double>(), 1);
            }
        }
    }
    for (auto const longest_s : {0.0, 1e4}) {
        auto const found = run_one("random-access", {{"log2_words", 20}, {"longest", longest_s}});
        if (Communicator::world().is_root()) {
            EXPECT_EQ(found.samples.at(0)["details"]["updates"], all) << longest_s;
            EXPECT_EQ(found.samples.at(0)["details"]["longest_s"].is_null(), longest_s == 0);
        }
    }
}

/// A rank alone looks at the clock after 2^20 updates, here a quarter of its words.
TEST(ComputeBenchmarks, TolerateNoMoreWrongWordsThanOneOfAHundredUpdates) {
    Json const options{{"log2_words", 22}, {"longest", 1e-6}, {"sharing", "star"}};
    for (auto const& [share, code] : {std::pair(0.003, ExitCode::wrong_data), {0.002, ExitCode::fine}}) {
        auto planted = options;
        planted["plant_errors"] = share;
        EXPECT_EQ(run_one("random-access", planted).code, code) << share;
    }
}

/// Another seed gives other numbers, not the same in other places: their greatest differ.
TEST(CentredRandoms, DifferWithTheSeed) {
    constexpr std::uint64_t count = 64;
    std::vector<double> greatest;
    for (std::uint64_t seed = 0; seed < count; ++seed) {
        CentredRandom const number(seed);
        double found = -1;
        for (std::uint64_t place = 0; place < count; ++place) {
            found = std::max(found, number(place));
        }
        greatest.push_back(found);
    }
    std::sort(greatest.begin(), greatest.end());
    EXPECT_EQ(std::adjacent_find(greatest.begin(), greatest.end()), greatest.end());
}

TEST(StreamErrors, SeeWhatIsNoNumberInEachVector) {
    for (std::size_t spoiled = 0; spoiled < 3; ++spoiled) {
        std::vector<double> memory(24);
        StreamVectors const vectors{memory.data(), memory.data() + 8, memory.data() + 16, 8};
        start_stream(vectors);
        memory[8 * spoiled + 3] = std::nan("");
        EXPECT_TRUE(std::isnan(stream_error(vectors, 0.42, 1))) << spoiled;
    }
}

TEST(StreamKernels, ComputeEachElementOfAnySize) {
    constexpr std::uint64_t most = 4200;  // thirds of more than two pages
    alignas(64) static std::array<std::array<double, most + 8>, 3> memory{};
    for (std::uint64_t size = 1; size <= most; size += size < 67 ? 1 : 59) {
        for (auto const stores : {StreamStores::ordinary, StreamStores::non_temporal}) {
            for (std::size_t i = 0; i < memory[0].size(); ++i) {
                auto const x = static_cast<double>(i);
                memory[0][i] = x;
                memory[1][i] = 100 + x;
                memory[2][i] = 0.5;
            }
            auto const expect = [&](std::size_t vector, auto value) {
                for (std::size_t i = 0; i < size; ++i) {
                    ASSERT_EQ(memory[vector][i], value(static_cast<double>(i))) << size << ", " << vector << ", " << i;
                }
                std::array const behind{static_cast<double>(size), 100.0 + static_cast<double>(size), 0.5};
                EXPECT_EQ(memory[vector][size], behind.at(vector)) << "behind " << size;
            };
            StreamVectors const vectors{memory[0].data(), memory[1].data(), memory[2].data(), size};
            auto const run = [&](std::size_t kernel) { stream_kernels().at(kernel).run(vectors, 1000, stores); };
            run(0);
            expect(2, [](double i) { return i; });
            run(1);
            expect(1, [](double i) { return 1000 * i; });
            run(2);
            expect(2, [](double i) { return 1001 * i; });
            run(3);
            expect(0, [](double i) { return 1000 * i + 1000 * 1001 * i; });
        }
    }
}

TEST(ComputeBenchmarks, WarnOfTheDataOfTheRanksThatWork) {
    auto const world = Communicator::world();
    auto const bytes = 3 * world.max(last_cache().value_or(Bytes{0}).value);
    auto const is_small = [&](Sharing sharing) { return !CacheShare(world, bytes, sharing).warnings().empty(); };
    auto const is_known = bytes > 0;
    EXPECT_EQ(is_small(Sharing::single), is_known);
    EXPECT_EQ(is_small(Sharing::star), is_known && world.node().size() == 1);
}

/// A reader of raw samples finds it beside the numbers, and need not know of warnings.
TEST(ComputeBenchmarks, MarkSamplesOfTheCachesThemselves) {
    std::map<std::string, Json> const tests{{"stream", {{"size", 1000}}},
                                            {"random-access", {{"log2_words", 10}}},
                                            {"ptrans", {{"size", 64}}},
                                            {"fft", {{"size", 4096}, {"library", "plain"}}}};
    for (auto const& [benchmark, options] : tests) {
        SCOPED_TRACE(benchmark);
        auto const found = run_one(benchmark, options);
        if (!Communicator::world().is_root()) {
            continue;
        }
        ASSERT_FALSE(found.samples.empty());
        for (auto const& sample : found.samples) {
            auto const& details = sample["details"];
            ASSERT_TRUE(details.contains("in_caches"));
            EXPECT_GT(details["node_bytes"], 0);
            if (details["last_cache_bytes"].is_null()) {
                EXPECT_TRUE(details["in_caches"].is_null());
                continue;
            }
            EXPECT_EQ(details["in_caches"], true);
            EXPECT_EQ(sample["warnings"].size(), 1U);
        }
    }
}

TEST(CacheShares, AreInCachesBelowFourTimesTheLastOne) {
    auto const mark = [](CacheShare const& share) {
        Json details = Json::object();
        share.mark(details);
        return details;
    };
    EXPECT_EQ(mark({399, 100}), (Json{{"node_bytes", 399}, {"last_cache_bytes", 100}, {"in_caches", true}}));
    EXPECT_EQ(mark({400, 100}), (Json{{"node_bytes", 400}, {"last_cache_bytes", 100}, {"in_caches", false}}));
    EXPECT_EQ(mark({399, 0}), (Json{{"node_bytes", 399}, {"last_cache_bytes", nullptr}, {"in_caches", nullptr}}));
    EXPECT_EQ(mark({}), Json::object()) << "of a test that is none of memory";
    EXPECT_EQ((CacheShare{399, 100}.warnings().at(0)["why"]), "it is the caches that are measured, in part");
    EXPECT_EQ((CacheShare{100, 100}.warnings().at(0)["why"]), "it is the caches that are measured");
    EXPECT_TRUE((CacheShare{400, 100}.warnings().empty()));
    EXPECT_TRUE((CacheShare{399, 0}.warnings().empty()));
}

TEST(ComputeBenchmarks, TakeASmallerBlockForASmallMatrix) {
    auto const found = run_one("hpl", {{"size", 31}});
    EXPECT_EQ(found.code, ExitCode::fine);
    if (Communicator::world().is_root()) {
        EXPECT_EQ(found.samples.at(0)["details"]["block"], 31);
    }
    auto const tiny = run_one("hpl", {{"memory", 7200}});
    if (Communicator::world().is_root()) {
        EXPECT_EQ(tiny.samples.at(0)["details"]["memory"]["matrix_bytes"], 7200);
    }
}

TEST(ComputeBenchmarks, RefuseWhatCannotBe) {
    EXPECT_EQ(run_one("hpl", {{"size", 10}, {"block", 11}}).code, ExitCode::usage);
    EXPECT_EQ(run_one("hpl", {{"size", 10}, {"block", 1}, {"grid_rows", 7}}).code, ExitCode::usage);
    EXPECT_EQ(run_one("ptrans", {{"size", 10}, {"grid_rows", 7}}).code, ExitCode::usage);
    EXPECT_EQ(run_one("ptrans", {{"size", 10}, {"block", 11}}).code, ExitCode::usage);
    EXPECT_EQ(run_one("dgemm", {{"size", 10}, {"blas", "libnothing.so"}}).code, ExitCode::cannot_run);
    EXPECT_EQ(run_one("fft", {{"size", 64}, {"sharing", "star"}, {"library", "libnothing.so"}}).code,
              ExitCode::cannot_run);
    EXPECT_EQ(run_one("dgemm", {{"size", 10}, {"blas", "/dev/zero"}}).code, ExitCode::cannot_run) << "it never ends";
    EXPECT_EQ(run_one("fft", {{"size", 64}, {"sharing", "star"}, {"library", "/dev/zero"}}).code, ExitCode::cannot_run);
    if (Communicator::world().size() > 1) {
        EXPECT_EQ(run_one("fft", {{"size", Communicator::world().size()}}).code, ExitCode::usage);
    }
}

TEST(ComputeBenchmarks, RefuseWhatDoesNotFitIntoMemoryAndTellWhatDoes) {
    auto const world = Communicator::world();
    std::vector<Small> const large{{"hpl", {{"size", 1'000'000}}, {}, 0},
                                   {"ptrans", {{"size", 1'000'000}}, {}, 0},
                                   {"dgemm", {{"size", 200'000}}, {}, 0},
                                   {"stream", {{"size", std::uint64_t{1} << 38U}}, {}, 0},
                                   {"random-access", {{"log2_words", 44}}, {}, 0},
                                   {"fft", {{"size", std::uint64_t{1} << 42U}, {"sharing", "star"}}, {}, 0}};
    for (auto const& one : large) {
        SCOPED_TRACE(one.benchmark);
        auto const found = run_one(one.benchmark, one.options);
        EXPECT_EQ(found.code, ExitCode::cannot_run);
        if (world.is_root()) {
            EXPECT_EQ(found.problem, "this does not fit into memory");
            EXPECT_NE(found.suggestion.find(one.benchmark == "random-access" ? ": --log2-words " : ": --size "),
                      std::string::npos)
                << found.suggestion;
        }
    }
}

TEST(ComputeBenchmarks, TellHowMuchOfTheMemoryTheMatrixTook) {
    auto const found = run_one("hpl", {{"size", 64}, {"block", 8}});
    auto const is_one_node = Communicator::world().node().size() == Communicator::world().size();
    if (Communicator::world().is_root()) {
        auto const& memory = found.samples.at(0)["details"]["memory"];
        EXPECT_EQ(memory["matrix_bytes"], 64 * 64 * 8);
        EXPECT_EQ(memory["conforming"], false);
        auto const order = memory["conforming_size"].get<double>();
        auto const total = memory["total_bytes"].get<double>();
        if (auto const of_node = total_memory(); is_one_node && of_node) {
            EXPECT_EQ(memory["total_bytes"], of_node->value) << "a node counts once";
        }
        EXPECT_GE(order * order * 8, total / 2);
        EXPECT_LT((order - 8) * (order - 8) * 8, total / 2);
    }
}

TEST(ComputeBenchmarks, WatchTheirOwnClockForNoise) {
    auto const found = run_one("noise", {{"duration", 0.02}});
    if (Communicator::world().is_root()) {
        auto const& metrics = found.samples.at(0)["metrics"];
        EXPECT_GE(metrics[0]["value"], 0.0);
        EXPECT_LE(metrics[0]["value"], metrics[1]["value"]);
        EXPECT_LE(metrics[1]["value"], 1.0);
    }
}

}  // namespace
}  // namespace weir
