#include <gtest/gtest.h>

#include <array>

#include "comm/clock_offset.hpp"
#include "comm/collective_error.hpp"
#include "comm/launch_facts.hpp"
#include "comm/sum_as_text.hpp"
#include "core/interrupt.hpp"
#include "support/failures/error_of.hpp"

namespace weir {
namespace {

struct World : ::testing::Test {
    Communicator const comm = Communicator::world();
};

TEST_F(World, ReducesAndGathers) {
    EXPECT_EQ(comm.sum(std::uint64_t{1}), comm.size());
    EXPECT_EQ(comm.max(static_cast<double>(comm.rank())), static_cast<double>(comm.size() - 1));
    auto const ranks = comm.all_gather(comm.rank());
    for (std::uint64_t i = 0; i < comm.size(); ++i) {
        EXPECT_EQ(ranks.at(i), i);
    }
}

TEST_F(World, FindsTheGreatestOfNumbersBeyond2To63) {
    constexpr auto great = ~std::uint64_t{2500};
    auto const mine = comm.is_root() ? great : comm.rank();
    EXPECT_EQ(comm.max(mine), great);
    std::array<std::uint64_t, 3> values{mine, comm.rank(), ~comm.rank()};
    comm.max(values);
    EXPECT_EQ(values, (std::array<std::uint64_t, 3>{great, comm.size() - 1, ~std::uint64_t{0}}));
}

TEST_F(World, GathersTextsOfAnyLength) {
    auto const texts = comm.all_gather(std::string(comm.rank(), 'x'));
    for (std::uint64_t i = 0; i < comm.size(); ++i) {
        EXPECT_EQ(texts.at(i), std::string(i, 'x'));
    }
    EXPECT_EQ(comm.broadcast(comm.is_root() ? "from root" : ""), "from root");
}

TEST_F(World, AddsUpWhatTravelsAsText) {
    struct Letters {
        std::string all;
        void add(Letters const& other) { all += other.all; }
    };
    auto const text_of = [](Letters const& letters) { return letters.all; };
    auto const letters_in = [](std::string const& text) { return Letters{text}; };
    auto const of_rank = [](std::uint64_t rank) { return std::string(rank, static_cast<char>('a' + rank)); };
    std::string expected;
    for (std::uint64_t rank = 0; rank < comm.size(); ++rank) {
        expected += of_rank(rank);
    }
    EXPECT_EQ(sum_as_text(comm, Letters{of_rank(comm.rank())}, text_of, letters_in).all, expected);
}

TEST_F(World, Splits) {
    auto const half = comm.split(comm.rank() % 2);
    EXPECT_EQ(half.size(), (comm.size() + (comm.rank() % 2 == 0 ? 1 : 0)) / 2);
    EXPECT_EQ(comm.node().size(), comm.size()) << "these tests run on one node";
    comm.quiet_barrier();
}

TEST_F(World, OneRanksFailureIsEverybodys) {
    std::optional<Diagnosis> mine;
    if (comm.rank() == comm.size() - 1) {
        mine = Diagnosis{"it broke", "a reason", "mend it", ExitCode::wrong_data, {}, R"({"a":1})"};
    }
    auto const heard = testing::error_of([&] { agree(comm, mine); }).diagnosis();
    EXPECT_EQ(heard.problem, "it broke");
    EXPECT_EQ(heard.exit_code, ExitCode::wrong_data);
    EXPECT_EQ(heard.rank, comm.size() - 1);
    EXPECT_EQ(heard.details, R"({"a":1})");
    EXPECT_NO_THROW(agree(comm, {}));
}

TEST_F(World, TheGravestFailureWins) {
    Diagnosis mine{"rank " + std::to_string(comm.rank()), "", "", ExitCode::internal};
    mine.exit_code = comm.is_root() ? ExitCode::cannot_run : ExitCode::internal;
    auto const error = testing::error_of([&] { agree(comm, mine); });
    EXPECT_EQ(error.diagnosis().problem, comm.size() == 1 ? "rank 0" : "rank 1");
}

TEST_F(World, AFileThatOthersRemovedWhenTheyWereStoppedIsNoFailure) {
    auto const code_of = [&](ExitCode mine) {
        return testing::error_of([&] { agree(comm, Diagnosis{"it broke", "", "", mine}); }).diagnosis().exit_code;
    };
    stop_requested = comm.is_root();
    EXPECT_EQ(code_of(ExitCode::cannot_run), ExitCode::interrupted);
    stop_requested = true;
    EXPECT_EQ(code_of(ExitCode::wrong_data), ExitCode::wrong_data);
    stop_requested = false;
    EXPECT_EQ(code_of(ExitCode::cannot_run), ExitCode::cannot_run);
}

TEST_F(World, ClocksOfOneNodeAgree) {
    MonotonicClock const clock;
    EXPECT_EQ(offset_to_root(comm, clock), 0);
}

TEST_F(World, ClocksThatDifferAreCompared) {
    ManualClock clock;
    clock.advance(Seconds{10.0 * static_cast<double>(comm.rank())});
    if (comm.size() > 1) {
        EXPECT_DOUBLE_EQ(exchange_offset(comm, clock, 1), comm.rank() == 1 ? -10 : 0);
    }
}

TEST_F(World, TellsWhereItRuns) {
    MonotonicClock clock;
    auto const facts = gather_launch_facts(comm, clock);
    EXPECT_EQ(facts.ranks, comm.size());
    ASSERT_EQ(facts.nodes.size(), 1U);
    EXPECT_EQ(facts.nodes[0].ranks, comm.size());
    EXPECT_GE(facts.nodes[0].covers.cores, 1U);
    ASSERT_EQ(facts.placement.size(), comm.size());
    for (auto const& placement : facts.placement) {
        EXPECT_GE(placement.covers.cores, 1U);
        EXPECT_LE(placement.covers.cores, facts.nodes[0].covers.cores);
    }
    EXPECT_FALSE(facts.mpi_library.empty());
    auto const json = to_json(facts);
    EXPECT_EQ(json["nodes"][0]["ranks"], comm.size());
}

}  // namespace
}  // namespace weir
