// The benchmark on real files: what is done, what is reported, and that nothing stays.

#include <gtest/gtest.h>

#include <sys/resource.h>

#include <fstream>

#include "bench/benchmark.hpp"
#include "core/interrupt.hpp"
#include "core/json.hpp"
#include "support/failures/error_of.hpp"
#include "support/json_part.hpp"
#include "support/mpi/on_root.hpp"
#include "support/temporary_directory.hpp"

namespace weir {
namespace {

struct MetadataBenchmarkTest : ::testing::Test {
    /// The lines of one case; they are the same on every rank.
    std::vector<Json> run(Json options) { return run(std::move(options), clock); }
    std::vector<Json> run(Json options, Clock& with) {
        auto const job = Benchmarks::instance().find("metadata")->make_job();
        OptionSet set;
        job->declare(set);
        options.emplace("dir", directory.path().string());
        set.set_all(options);
        lines.lines.clear();
        JobContext context{comm, with, lines, "x"};
        job->run(context);
        return lines.lines;
    }

    static Json phases_of(std::vector<Json> const& lines) {
        auto phases = Json::array();
        for (auto const& line : lines) {
            phases.push_back(line.at("phase"));
        }
        return phases;
    }

    void expect_failure(Json const& options, ExitCode code, char const* problem) {
        auto const error = testing::error_of([&] { run(options); });
        EXPECT_EQ(error.diagnosis().exit_code, code) << error.what();
        EXPECT_TRUE(testing::has(error.what(), problem));
        comm.barrier();
    }

    Communicator const comm = Communicator::world();
    testing::TemporaryDirectory directory{comm};
    MonotonicClock clock;
    MemoryLines lines;
};

TEST_F(MetadataBenchmarkTest, DoesEveryPhaseOnEveryFileAndLeavesNothing) {
    for (auto const* layout : {"shared-directory", "private-directory"}) {
        for (auto const* reorder : {"none", "rank", "node"}) {
            auto const lines = run({{"layout", layout},
                                    {"reorder", reorder},
                                    {"order", "shuffled"},
                                    {"files", 12},
                                    {"file_bytes", 100},
                                    {"rename", true},
                                    {"sync", true}});
            EXPECT_EQ(phases_of(lines), Json({"create", "stat", "open", "read", "rename", "unlink"}));
            for (auto const& line : lines) {
                EXPECT_EQ(line.at("operations"), 12 * comm.size());
                EXPECT_EQ(line.at("files"), 12 * comm.size());
                EXPECT_EQ(line.at("metrics").size(), 1U);
                EXPECT_EQ(line.at("metrics")[0].at("key"), "operations_per_s");
                EXPECT_GT(line.at("metrics")[0].at("value"), 0.0);
                EXPECT_TRUE(line.at("details").at("opened_by_ranks").is_null());
                for (auto const& [call, latency] : line.at("latency").items()) {
                    EXPECT_EQ(latency.at("timed"), 12 * comm.size()) << call;
                    EXPECT_TRUE(line.at("times").contains(call));
                }
            }
            EXPECT_EQ(lines.at(0).at("bytes_written"), 1200 * comm.size());
            EXPECT_EQ(lines.at(3).at("bytes_read"), 1200 * comm.size());
            EXPECT_EQ(directory.entries_of_all(), 0);
        }
    }
}

TEST_F(MetadataBenchmarkTest, TimesOpenAndCloseApart) {
    auto const lines = run({{"files", 3}, {"file_bytes", 10}});
    auto const calls_of = [&](std::size_t line) {
        auto names = Json::array();
        for (auto const& item : lines.at(line).at("latency").items()) {
            names.push_back(item.key());
        }
        return names;
    };
    EXPECT_EQ(calls_of(0), Json({"create", "write", "close"}));
    EXPECT_EQ(calls_of(1), Json({"stat"}));
    EXPECT_EQ(calls_of(2), Json({"open", "close"}));
    EXPECT_EQ(calls_of(3), Json({"open", "read", "close"}));
    EXPECT_EQ(calls_of(4), Json({"unlink"}));
}

TEST_F(MetadataBenchmarkTest, RemovesFilesThatNoPhaseRemoves) {
    EXPECT_EQ(phases_of(run({{"files", 5}, {"rename", true}, {"unlink", false}})),
              Json({"create", "stat", "open", "rename"}));
    EXPECT_EQ(directory.entries_of_all(), 0);
}

TEST_F(MetadataBenchmarkTest, ReportsRepetitionsButNotTheWarmUp) {
    auto const lines = run({{"files", 2}, {"stat", false}, {"open", false}, {"repetitions", 2}, {"warm_up", 3}});
    EXPECT_EQ(phases_of(lines), Json({"create", "unlink", "create", "unlink"}));
    EXPECT_EQ(lines.at(1).at("repetition"), 0);
    EXPECT_EQ(lines.at(3).at("repetition"), 1);
}

TEST_F(MetadataBenchmarkTest, WorksThroughMpiIo) {
    auto const lines = run({{"interface", "mpiio"}, {"files", 3}, {"file_bytes", 100}});
    EXPECT_EQ(phases_of(lines), Json({"create", "open", "read", "unlink"}));
    EXPECT_EQ(directory.entries_of_all(), 0);
}

TEST_F(MetadataBenchmarkTest, OpensACommonFileInEveryWay) {
    for (auto const* interface : {"posix", "mpiio"}) {
        for (auto const* opening : {"independent", "collective", "one-rank", "broadcast"}) {
            auto const together = std::string(opening) == "collective" || std::string(opening) == "one-rank";
            if (together && std::string(interface) == "posix") {
                continue;
            }
            auto const lines = run({{"layout", "common-file"},
                                    {"interface", interface},
                                    {"opening", opening},
                                    {"files", 3},
                                    {"file_bytes", 5 << 20}});
            EXPECT_EQ(lines.back().at("phase"), "read");
            for (auto const& line : lines) {
                testing::expect_part(line,
                                     {{"details/opening", opening}, {"files", 3U}, {"operations", 3 * comm.size()}});
                EXPECT_GT(line.at("elapsed_s"), 0.0);
            }
            EXPECT_EQ(lines.back().at("bytes_read"), 3 * comm.size() * (5 << 20));
            auto const opened = lines.back().at("details").at("opened_by_ranks");
            if (std::string(opening) == "broadcast") {
                EXPECT_EQ(opened, 1U);
            } else if (std::string(opening) == "independent") {
                EXPECT_EQ(opened, comm.size());
            } else {
                EXPECT_GE(opened, 1U);  // of how many ranks is the library's choice
                EXPECT_LE(opened, comm.size());
            }
            EXPECT_EQ(directory.entries_of_all(), 0);
        }
    }
}

TEST_F(MetadataBenchmarkTest, SaysOnAllRanksThatADirectoryIsNotThere) {
    for (auto const* layout : {"shared-directory", "private-directory", "common-file"}) {
        EXPECT_THROW(run({{"layout", layout}, {"dir", (directory.path() / "missing").string()}}), Error);
        EXPECT_TRUE(lines.lines.empty());
    }
}

TEST_F(MetadataBenchmarkTest, LeavesFilesOfOthersAlone) {
    auto const others = directory.path() / "weir-file-0-0";
    testing::on_root(comm, [&] { std::ofstream(others) << "mine"; });
    run({{"files", 1}});
    comm.barrier();
    EXPECT_EQ(std::filesystem::file_size(others), 4U);
    EXPECT_EQ(directory.entries(), 1);
}

/// Asks to stop after some looks at the clock.
struct StoppingClock final : Clock {
    [[nodiscard]] double now_s() const override {
        if (--looks == 0) {
            stop_requested = true;
        }
        return static_cast<double>(-looks);
    }
    void sleep(Seconds) override {}
    mutable int looks = 0;
};

TEST_F(MetadataBenchmarkTest, StopsEveryRankWhenOneIsInterrupted) {
    for (auto const* layout : {"shared-directory", "private-directory", "common-file"}) {
        StoppingClock stopping;
        stopping.looks = comm.rank() == comm.size() - 1 ? 100 : 1'000'000'000;
        testing::expect_error(ExitCode::interrupted, "", [&] { run({{"layout", layout}, {"files", 200}}, stopping); });
        stop_requested = false;
        EXPECT_EQ(directory.entries_of_all(), 0);
    }
}

TEST_F(MetadataBenchmarkTest, EndsEveryRankWhenOneHasNoDescriptorsLeft) {
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "the sanitizer itself needs descriptors to check memory";
#endif
    // Of the last rank only: the others go through all of their files first.
    struct rlimit before {};
    getrlimit(RLIMIT_NOFILE, &before);
    for (auto const* layout : {"shared-directory", "private-directory", "common-file"}) {
        if (comm.rank() == comm.size() - 1) {
            struct rlimit none = before;
            none.rlim_cur = 0;
            setrlimit(RLIMIT_NOFILE, &none);
        }
        expect_failure({{"layout", layout}, {"files", 5}}, ExitCode::cannot_run, "Too many open files");
        setrlimit(RLIMIT_NOFILE, &before);
        EXPECT_EQ(directory.entries_of_all(), 0);
    }
}

}  // namespace
}  // namespace weir
