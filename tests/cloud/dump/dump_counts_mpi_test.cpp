// The calls of a run against facts that follow from Thakur, Gropp, Lusk (1996), tables 1 to 8.

#include <gtest/gtest.h>

#include "cloud/dump/dumps.hpp"
#include "cloud/dump/made_state.hpp"
#include "support/skip.hpp"
#include "support/temporary_directory.hpp"

namespace weir::cloud {
namespace {

using Sizes = std::map<std::uint64_t, std::uint64_t>;

std::vector<std::uint64_t> counts_of(Tally const& log) {
    std::vector<std::uint64_t> counts;
    for (auto const& calls : log.calls) {
        counts.push_back(calls.count);
    }
    return counts;
}

class DumpCounts : public ::testing::Test {
  protected:
    Communicator world_ = Communicator::world();
    testing::TemporaryDirectory directory_{world_};
    MonotonicClock clock_;

    /// A restart is read, then dumps are written; the calls of all ranks.
    Tally run(Triple const& cells, Triple const& ranks, DumpMethod method, Index dumps) {
        Decomposition const where(world_, {cells, 1.0 / 64}, ranks);
        Dumps io(where, directory_.path(), method, clock_);
        io.write_restart(made_state(where, 0), 1.1);
        io.clear_log();
        auto state = io.read_restart(directory_.path() / restart_name);
        for (Index dump = 1; dump <= dumps; ++dump) {
            state.step = 5 * dump;
            io.write(state, 1.1);
        }
        return sum_over_ranks(io.log(), world_);
    }
    [[nodiscard]] std::uintmax_t size(char const* name) const {
        return std::filesystem::file_size(directory_.path() / name);
    }
};

TEST_F(DumpCounts, AreThoseOfTheSmallCase) {
    WEIR_SKIP_IF(world_.size() != 8) << "this is for 8 ranks";
    auto const log = run({128, 128, 64}, {2, 2, 2}, DumpMethod::two_phase, 4);
    EXPECT_EQ(counts_of(log), (std::vector<std::uint64_t>{200, 200, 49, 536, 1225, 1680 + 1680 + 8, 4}));
    EXPECT_EQ(log.read_sizes, (Sizes{{24, 1}, {524288, 48}}));
    EXPECT_EQ(log.write_sizes, (Sizes{{24, 24}, {131072, 128}, {524288, 384}}));
    EXPECT_EQ(log[IoCall::read].bytes, 25'165'848);
    EXPECT_EQ(log[IoCall::write].bytes, 218'104'384);
    EXPECT_EQ(size("restart"), 25'165'848);
    EXPECT_EQ(size("analysis-000020"), 25'165'848);
    EXPECT_EQ(size("speed-000005"), 1'048'600);
    EXPECT_EQ(directory_.entries(), 21);
}

TEST_F(DumpCounts, AreThoseOfTheLargeCase) {
    WEIR_SKIP_IF(world_.size() != 64) << "this is for 64 ranks";
    auto const log = run({64, 64, 64}, {4, 4, 4}, DumpMethod::two_phase, 1);
    EXPECT_EQ(counts_of(log), (std::vector<std::uint64_t>{448, 448, 385, 1030, 3235, 42304, 1}));
    EXPECT_EQ(log.write_sizes, (Sizes{{24, 6}, {4096, 256}, {16384, 768}}));
}

TEST_F(DumpCounts, FollowFromTheRanks) {
    auto const p = world_.size();
    auto const size = static_cast<Index>(p);
    for (auto const& ranks : {Triple{1, 1, size}, Triple{1, size, 1}, Triple{size, 1, 1}}) {
        auto const same_planes = static_cast<std::uint64_t>(ranks[0] * ranks[1]);
        auto const log = run({64, 64, 64}, ranks, DumpMethod::two_phase, 1);
        auto const seeks = p == 1 ? 0 : 22 * (2 * p - 1) + 7 * (p - 1);
        EXPECT_EQ(counts_of(log), (std::vector<std::uint64_t>{7 * p, 7 * p, 1 + 6 * p, 6 + 16 * p, seeks,
                                                              22 * p * 2 * (same_planes - 1) + p, 1}));
    }
}

TEST_F(DumpCounts, OfRank0AreItsOwnRequests) {
    auto const p = world_.size();
    auto const size = static_cast<Index>(p);
    auto const log = run({16, 16, 16}, {1, size, 1}, DumpMethod::rank0, 1);
    EXPECT_EQ(counts_of(log), (std::vector<std::uint64_t>{7, 7, 7, 22, 0, 22 * 2 * (p - 1) + p, 1}));
    EXPECT_EQ(log.write_sizes, (Sizes{{24, 6}, {4096, 4}, {16384, 12}}));
}

TEST_F(DumpCounts, OfIndependentAccessAreThoseOfRuns) {
    auto const p = world_.size();
    auto const size = static_cast<Index>(p);
    auto const log = run({16, 16, 16}, {1, size, 1}, DumpMethod::independent, 1);
    auto const runs = p == 1 ? 1 : 16 * p;  // of one plane each
    auto const planes = p == 1 ? 4096 : 256 / p;
    EXPECT_EQ(log.write_sizes, (Sizes{{24, 6}, {planes, 4 * runs}, {4 * planes, 12 * runs}}));
    // To each run but the very first of a file; past the header; and to each array's end.
    auto const seeks = p == 1 ? 0 : 22 * (runs - 1 + p) + 7 * (p - 1);
    EXPECT_EQ(counts_of(log), (std::vector<std::uint64_t>{7 * p, 7 * p, 1 + 6 * runs, 6 + 16 * runs, seeks, p, 1}));
}

}  // namespace
}  // namespace weir::cloud
