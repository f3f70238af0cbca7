// The benchmark on real files: what it computes, moves and reports, and that nothing stays. On 1, 4 and 9 ranks.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sched.h>

#include <cmath>
#include <numbers>

#include "apps/cmb/model/linear.hpp"
#include "apps/cmb/model/sky.hpp"
#include "bench/run_cases.hpp"
#include "support/failures/error_of.hpp"
#include "support/has.hpp"
#include "support/json_part.hpp"
#include "support/mpi/on_root.hpp"
#include "support/skip.hpp"
#include "support/temporary_directory.hpp"

namespace weir::cmb {
namespace {

bool has_scalapack() {
    try {
        return need_linear() != nullptr;
    } catch (Error const&) {
        return false;
    }
}

struct CmbRun : ::testing::Test {
    void SetUp() override { WEIR_SKIP_IF(comm.size() == 2 || comm.size() == 3) << "these ranks are no square"; }

    /// Its samples, on every rank.
    std::vector<Json> run(Json options) {
        auto const job = Benchmarks::instance().find("cmb")->make_job();
        OptionSet set;
        job->declare(set);
        options.emplace("dir", directory.path().string());
        set.set_all(options);
        MemoryLines lines;
        JobContext context{comm, clock, lines, "x", "cmb"};
        job->run(context);
        return lines.lines;
    }

    std::vector<double> correction(Json options) {
        options["mode"] = "compute";
        return run(std::move(options)).back().at("details").at("dC").get<std::vector<double>>();
    }

    void expect_failure(Json const& options, ExitCode code, char const* problem) {
        auto const error = weir::testing::error_of([&] { run(options); });
        EXPECT_EQ(error.diagnosis().exit_code, code) << error.what();
        EXPECT_TRUE(weir::testing::has(error.what(), problem));
        comm.barrier();
    }

    static Json const& of_phase(std::vector<Json> const& samples, char const* phase) {
        auto const found = std::ranges::find_if(samples, [&](Json const& one) { return one.at("phase") == phase; });
        return found == samples.end() ? samples.at(0) : *found;
    }

    static Json metric(Json const& sample, char const* key) {
        for (auto const& one : sample.at("metrics")) {
            if (one.at("key") == key) {
                return one.at("value");
            }
        }
        return "nothing";
    }

    Communicator const comm = Communicator::world();
    weir::testing::TemporaryDirectory directory{comm};
    MonotonicClock clock;
};

/// The spectrum's first correction as MADbench2 prints it, and numpy computes it: facts, applications.md 1.0.3.
struct Known {
    std::uint64_t pixels, bins;
    double first;
};
constexpr std::array known{Known{256, 4, -9.32523e-01}, Known{300, 4, -9.36019e-01}, Known{200, 8, -9.43530e-01},
                           Known{512, 8, -9.39356e-01}};

TEST_F(CmbRun, ComputesTheKnownCorrection) {
    WEIR_SKIP_IF(!has_scalapack()) << "no ScaLAPACK";
    for (auto const& one : known) {
        auto const found = correction({{"pixels", one.pixels}, {"bins", one.bins}});
        ASSERT_EQ(found.size(), one.bins);
        EXPECT_NEAR(found.front(), one.first, 5e-7) << one.pixels;
    }
    EXPECT_EQ(directory.entries_of_all(), 0);
}

TEST_F(CmbRun, ComputesTheSameInEveryWay) {
    WEIR_SKIP_IF(!has_scalapack()) << "no ScaLAPACK";
    std::vector<Json> ways{{{"layout", "file-per-process"}, {"block", 7}},
                           {{"backend", "mpiio"}, {"asynchronous", true}},
                           {{"backend", "mpiio"}, {"part_alignment", 8}, {"sync", true}, {"cache", "drop"}}};
    if (comm.size() > 1) {
        ways.push_back({{"read_turns", comm.size()}, {"block", 16}});
        ways.push_back({{"write_turns", comm.size() == 4 ? 2 : 3}});
    }
    if (comm.size() == 4) {
        ways.push_back({{"gangs", 4}});
        ways.push_back({{"gangs", 4}, {"block", 9}, {"backend", "mpiio"}, {"asynchronous", true}});
    }
    for (auto way : ways) {
        way["pixels"] = 200;
        way["repetitions"] = 2;
        way["bins"] = 8;
        EXPECT_NEAR(correction(way).front(), -9.43530e-01, 5e-7) << way;
    }
}

/// Without any of the code under test but the pixels.
std::vector<double> computed_densely(std::size_t n, std::size_t bins) {
    auto const directions = random_directions(n);
    using Matrix = std::vector<std::vector<double>>;
    auto const square = [&] { return Matrix(n, std::vector<double>(n)); };
    std::vector<Matrix> derivatives(bins, square());
    auto augmented = Matrix(n, std::vector<double>(2 * n));
    for (std::size_t i = 0; i < n; ++i) {
        augmented[i][i] += 1;
        augmented[i][n + i] = 1;
        for (std::size_t j = 0; j < n; ++j) {
            auto const& [a, b] = std::pair(directions[i], directions[j]);
            auto const cosine = std::clamp(a[0] * b[0] + a[1] * b[1] + a[2] * b[2], -1.0, 1.0);
            for (unsigned l = 1; l <= 10 * bins; ++l) {
                auto const term = (2 * l + 1) * std::legendre(l, cosine) / (4 * std::numbers::pi);
                derivatives[(l - 1) / 10][i][j] += term;
                augmented[i][j] += term;
            }
        }
    }
    for (std::size_t k = 0; k < n; ++k) {  // Gauss-Jordan
        auto const pivot = augmented[k];
        for (std::size_t i = 0; i < n; ++i) {
            auto const factor = augmented[i][k] / pivot[k];
            for (std::size_t j = 0; j < 2 * n; ++j) {
                augmented[i][j] = i == k ? pivot[j] / pivot[k] : augmented[i][j] - factor * pivot[j];
            }
        }
    }
    std::vector<Matrix> products(bins, square());
    std::vector<double> gradient(bins);
    for (std::size_t b = 0; b < bins; ++b) {
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < n; ++j) {
                for (std::size_t k = 0; k < n; ++k) {
                    products[b][i][j] += augmented[i][n + k] * derivatives[b][k][j];
                }
                for (std::size_t k = 0; k < n; ++k) {
                    gradient[b] += products[b][i][j] * augmented[j][n + k] / 2;
                }
            }
            gradient[b] -= products[b][i][i] / 2;
        }
    }
    std::vector<std::vector<double>> rows(bins, std::vector<double>(bins + 1));
    for (std::size_t b = 0; b < bins; ++b) {
        for (std::size_t c = 0; c < bins; ++c) {
            for (std::size_t i = 0; i < n; ++i) {
                for (std::size_t j = 0; j < n; ++j) {
                    rows[b][c] += products[b][i][j] * products[c][j][i] / 2;
                }
            }
        }
        rows[b][bins] = gradient[b];
    }
    for (std::size_t k = 0; k < bins; ++k) {
        auto const pivot = rows[k];
        for (std::size_t i = 0; i < bins; ++i) {
            auto const factor = rows[i][k] / pivot[k];
            for (std::size_t j = 0; j <= bins; ++j) {
                rows[i][j] = i == k ? pivot[j] / pivot[k] : rows[i][j] - factor * pivot[j];
            }
        }
    }
    std::vector<double> solution;
    for (auto const& row : rows) {
        solution.push_back(row[bins]);
    }
    return solution;
}

TEST_F(CmbRun, AgreesWithADenseComputation) {
    WEIR_SKIP_IF(!has_scalapack()) << "no ScaLAPACK";
    auto const expected = computed_densely(60, 4);
    for (std::uint64_t const gangs : {1, 4}) {
        if (comm.size() % gangs == 0) {
            auto const found = correction({{"pixels", 60}, {"bins", 4}, {"block", 8}, {"gangs", gangs}});
            ASSERT_EQ(found.size(), 4U);
            for (std::size_t i = 0; i < found.size(); ++i) {
                EXPECT_NEAR(found[i], expected[i], 1e-9 * std::abs(expected[i])) << gangs;
            }
        }
    }
}

/// Offsets of 17 GiB, in files that are mostly holes.
TEST_F(CmbRun, MovesRegionsOfMoreThan16GiB) {
    WEIR_SKIP_IF(!has_scalapack()) << "no ScaLAPACK";
    Json const options{{"pixels", 60}, {"bins", 17}, {"block", 8}};
    auto far = options;
    far["part_alignment"] = std::uint64_t{1} << 30U;
    auto const found = correction(far);
    auto const expected = correction(options);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_NEAR(found[i], expected[i], 1e-9 * std::abs(expected[i]));
    }
}

TEST_F(CmbRun, ReportsEachPhase) {
    auto const n = std::uint64_t{128};
    auto const ranks = comm.size();
    auto const matrix = n * n * 8;
    for (auto const* layout : {"shared", "file-per-process"}) {
        auto const samples = run({{"pixels", n}, {"bins", 4}, {"layout", layout}, {"repetitions", 2}, {"warm_up", 1}});
        ASSERT_EQ(samples.size(), 8U);
        weir::testing::expect_part(samples[4], {{"phase", "S"}, {"repetition", 1}});
        weir::testing::expect_part(of_phase(samples, "S"), {{"benchmark", "cmb"},
                                                            {"ranks", ranks},
                                                            {"operations", 4 * ranks},
                                                            {"bytes_written", 4 * matrix},
                                                            {"bytes_read", 0},
                                                            {"calls/write/count", 4 * ranks},
                                                            {"calls/open/count", ranks},
                                                            {"sync", "never"},
                                                            {"details/mode", "io"},
                                                            {"details/layout", layout}});
        weir::testing::expect_part(of_phase(samples, "W"), {{"bytes_written", 4 * matrix},
                                                            {"bytes_read", 4 * matrix},
                                                            {"calls/read/bytes", 4 * matrix},
                                                            {"operations", 8 * ranks}});
        weir::testing::expect_part(of_phase(samples, "C"), {{"bytes_read", 4 * matrix},
                                                            {"sync", nullptr},
                                                            {"calls/read/count", 4 * ranks},
                                                            {"calls/close/count", ranks}});
        auto const& whole = of_phase(samples, "run");
        EXPECT_EQ(whole["metrics"][0]["key"], "elapsed_s");
        EXPECT_TRUE(whole["details"]["dC"].is_null());
    }
    EXPECT_EQ(directory.entries_of_all(), 0);
}

/// The times of ranks in calls, of gangs in reads and writes, and of the phase contain each other.
TEST_F(CmbRun, TellsTimesThatFitTogether) {
    auto const samples = run({{"pixels", 256},
                              {"bins", 2},
                              {"exponent", 1},
                              {"operations_per_s", 256.0 * 256 / static_cast<double>(comm.size()) / 0.02}});
    for (auto const* phase : {"S", "W", "C"}) {
        auto const& sample = of_phase(samples, phase);
        auto const& times = sample["details"]["times"];
        double const moving_s = metric(sample, "moving_s");
        double const busy_s = metric(sample, "busy_s");
        EXPECT_EQ(metric(sample, "compute_s"), 0.0);
        EXPECT_GE(busy_s, 2 * 0.02);
        EXPECT_EQ(times["busy"]["max_s"], busy_s);
        EXPECT_GE(times["busy"]["mean_s"], times["busy"]["min_s"]);
        EXPECT_GE(moving_s * 1.01 + 1e-6, times["moving"]["max_s"].get<double>());
        EXPECT_LE(moving_s + 2 * 0.02, metric(sample, "elapsed_s").get<double>() * 1.01);
        auto const bytes = sample["bytes"].get<double>();
        EXPECT_NEAR(metric(sample, "bandwidth_bytes_per_s").get<double>(), bytes / moving_s, 1e-6 * bytes / moving_s);
    }
    EXPECT_EQ(metric(of_phase(samples, "S"), "read_bandwidth_bytes_per_s"), "nothing");
    EXPECT_GT(metric(of_phase(samples, "W"), "read_bandwidth_bytes_per_s"), 0.0);
    EXPECT_GT(metric(of_phase(samples, "W"), "write_bandwidth_bytes_per_s"), 0.0);
}

TEST_F(CmbRun, TellsTimesOfEachDirectionOfItsOwn) {
    auto const samples = run({{"pixels", 256}, {"bins", 2}, {"exponent", 0}});
    auto const times = [&](char const* phase, char const* key) {
        return of_phase(samples, phase)["details"]["times"][key]["max_s"].get<double>();
    };
    EXPECT_EQ(times("S", "read"), 0);
    EXPECT_GT(times("S", "write"), 0);
    EXPECT_GT(times("C", "read"), 0);
    EXPECT_EQ(times("C", "write"), 0);
}

/// What is called synced has no bandwidth of the page cache.
TEST_F(CmbRun, CountsSyncsAsWriting) {
    auto const samples = run({{"pixels", 256}, {"bins", 2}, {"exponent", 0}, {"sync", true}});
    for (auto const* phase : {"S", "W"}) {
        auto const& sample = of_phase(samples, phase);
        double const sync_s = sample["times"]["sync"]["max_s"];
        EXPECT_GT(sync_s, 0);
        EXPECT_GT(metric(sample, "write_s").get<double>(), sync_s);
        EXPECT_GT(sample["details"]["times"]["write"]["max_s"].get<double>(), sync_s);
        EXPECT_GE(metric(sample, "moving_s").get<double>(), metric(sample, "write_s").get<double>());
    }
}

TEST_F(CmbRun, AddsUpTheTimesOfItsPhases) {
    auto const samples = run({{"pixels", 256}, {"bins", 2}, {"exponent", 0}});
    auto const of = [&](char const* phase, char const* key) { return metric(of_phase(samples, phase), key); };
    for (auto const& [key, phases] : std::map<char const*, std::vector<char const*>>{{"write_s", {"S", "W"}},
                                                                                     {"read_s", {"W", "C"}},
                                                                                     {"moving_s", {"S", "W", "C"}},
                                                                                     {"elapsed_s", {"S", "W", "C"}}}) {
        double sum = 0;
        for (auto const* phase : phases) {
            sum += of(phase, key).get<double>();
        }
        EXPECT_NEAR(of("run", key).get<double>(), sum, 1e-9) << key;
    }
}

/// Of the kernel or the MPI: they cannot work beside a rank that is bound to one.
TEST_F(CmbRun, WarnsWhereThreadsInTheBackgroundHaveNoCpu) {
    cpu_set_t before;
    ASSERT_EQ(::sched_getaffinity(0, sizeof before, &before), 0);
    auto first = 0;
    while (!CPU_ISSET(first, &before)) {
        ++first;
    }
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
    Json const options{{"pixels", 64}, {"bins", 2}, {"block", 16}, {"exponent", 0}, {"backend", "mpiio"}};
    auto waiting = run(options);
    auto both = options;
    both["asynchronous"] = true;
    auto overlapped = run(both);
    ASSERT_EQ(::sched_setaffinity(0, sizeof before, &before), 0);
    EXPECT_TRUE(of_phase(waiting, "W")["warnings"].empty());
    for (auto const* phase : {"S", "W", "C", "run"}) {
        EXPECT_EQ(of_phase(overlapped, phase)["warnings"].at(0)["code"], "overlap-needs-cpu");
    }
}

TEST_F(CmbRun, MovesAllBytesInTheBackground) {
    auto const n = std::uint64_t{256};
    for (std::uint64_t const gangs : {1, 4}) {
        if (comm.size() % gangs != 0) {
            continue;
        }
        auto const samples = run({{"pixels", n},
                                  {"bins", 4},
                                  {"gangs", gangs},
                                  {"backend", "mpiio"},
                                  {"asynchronous", true},
                                  {"keep", true}});
        auto const& product = of_phase(samples, "W");
        EXPECT_EQ(product["calls"]["read"]["bytes"], 4 * n * n * 8);
        EXPECT_EQ(product["calls"]["write"]["bytes"], 4 * n * n * 8);
        for (auto const* phase : {"S", "W", "C", "run"}) {
            auto const& sample = of_phase(samples, phase);
            EXPECT_EQ(sample["metrics"][0]["key"], "elapsed_s") << phase;
            EXPECT_GT(metric(sample, "moving_s"), 0.0) << phase;
            // When a request ended is not known, so that nothing has a bandwidth.
            EXPECT_TRUE(metric(sample, "bandwidth_bytes_per_s").is_null()) << phase;
            for (auto const* way : {"read", "write"}) {
                if (phase != std::string_view(std::string_view(way) == "read" ? "S" : "C")) {
                    EXPECT_TRUE(metric(sample, fmt::format("{}_s", way).c_str()).is_null()) << phase;
                    EXPECT_TRUE(metric(sample, fmt::format("{}_bandwidth_bytes_per_s", way).c_str()).is_null());
                }
            }
        }
        weir::testing::on_root(comm, [&] {
            std::uint64_t bytes = 0;
            for (auto const& one : std::filesystem::recursive_directory_iterator(directory.path())) {
                bytes += one.is_regular_file() ? one.file_size() : 0;
            }
            EXPECT_GE(bytes, 4 * n * n * 8);
            for (auto const& one : std::filesystem::directory_iterator(directory.path())) {
                std::filesystem::remove_all(one.path());
            }
        });
    }
}

TEST_F(CmbRun, RefusesWhatCannotRun) {
    expect_failure({{"pixels", 200'000}, {"bins", 1}, {"block", 64}, {"exponent", 0}}, ExitCode::cannot_run,
                   "does not fit into memory");
    expect_failure({{"dir", "/nowhere"}}, ExitCode::usage, "cannot measure '/nowhere'");
    expect_failure({{"gangs", 16}, {"bins", 16}}, ExitCode::usage, "gangs = 16");
    expect_failure({{"emit_pattern", true}}, ExitCode::usage, "emit_pattern");
    if (!has_scalapack()) {
        expect_failure({{"mode", "compute"}}, ExitCode::cannot_run, "the matrices cannot be computed");
    }
    EXPECT_EQ(directory.entries_of_all(), 0);
}

TEST(CmbRanks, ThatAreNoSquareAreRefused) {
    auto const comm = Communicator::world();
    WEIR_SKIP_IF(comm.size() != 2) << "this is about two ranks";
    auto const job = Benchmarks::instance().find("cmb")->make_job();
    OptionSet set;
    job->declare(set);
    MemoryLines lines;
    MonotonicClock clock;
    JobContext context{comm, clock, lines, "x"};
    weir::testing::expect_error(ExitCode::usage, "2 ranks are not the square", [&] { job->run(context); });
}

}  // namespace
}  // namespace weir::cmb
