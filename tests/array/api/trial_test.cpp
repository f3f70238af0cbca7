#include "array/api/trial.hpp"

#include <gtest/gtest.h>

#include "array/layout/description.hpp"
#include "array/layout/io_group.hpp"

namespace weir::array {
namespace {

constexpr std::uint64_t mib = 1 << 20;

/// 512^3 doubles in runs of 2 KiB.
PlanFacts box(std::uint64_t ranks, std::uint64_t nodes) {
    PlanFacts facts;
    facts.ranks = ranks;
    facts.nodes = nodes;
    facts.cores = 2;
    facts.bytes = 1024 * mib;
    facts.write = facts.read = {facts.bytes, facts.bytes / 2048, facts.bytes / 2048 / ranks};
    return facts;
}

Trial trial(Strategy const& way, std::uint64_t window, std::vector<double> write, std::vector<double> read) {
    return {way, window, std::move(write), std::move(read)};
}

constexpr Strategy eight{Method::two_phase, 8};
constexpr Strategy two{Method::two_phase, 2};
constexpr Strategy alone{Method::independent, 8};

TEST(WorthTrying, BeginsWithTheCheapest) {
    auto const facts = box(8, 1);
    auto const trials = worth_trying(facts, {});
    ASSERT_GE(trials.size(), 3U);
    ASSERT_LE(trials.size(), 6U);
    EXPECT_EQ(trials[0].strategy, choose(facts, {}).write);
    EXPECT_EQ(trials[0].window, choose(facts, {}).window);
    EXPECT_EQ(trials[1].strategy, trials[0].strategy);
    EXPECT_EQ(trials[1].window, 4 * mib) << "the same with other windows";
}

TEST(WorthTrying, IsOnlyWhatTheUserLeavesOpen) {
    auto const facts = box(8, 1);
    auto const of = [&](char const* text) { return worth_trying(facts, parse_options(text)); };
    EXPECT_EQ(of("method=gather window=1MiB").size(), 1U);
    EXPECT_EQ(of("method=gather").size(), 2U) << "two windows";
    for (auto const& one : of("method=two_phase readers=3 writers=2")) {
        EXPECT_EQ(one.strategy.method, Method::two_phase);
        EXPECT_TRUE(one.strategy.aggregators == 2 || one.strategy.aggregators == 3);
    }
}

TEST(WorthTrying, IsNothingThatTakesTenTimesAsLong) {
    auto facts = box(8, 1);
    facts.profile.write.request_s = 1;
    for (auto const& one : worth_trying(facts, {})) {
        EXPECT_NE(one.strategy.method, Method::independent);
    }
}

TEST(Fastest, IsTakenApartForWritingAndReadingByTheMedianWithoutTheFirst) {
    auto const choice = fastest(
        box(8, 1), {}, {trial(eight, mib, {1, 5, 5, 5}, {9, 1, 1, 1}), trial(two, mib, {9, 4, 4, 9}, {1, 2, 2, 2})},
        "a sample");
    EXPECT_EQ(choice.write, two);
    EXPECT_EQ(choice.read, eight);
    EXPECT_EQ(choice.window, mib);
    EXPECT_EQ(
        choice.why,
        "two-phase, 2 writers and 8 readers, windows of 1 MiB: 4 s to write and 1 s to read, the fastest of 2 for a "
        "sample; next two-phase, 8 writers, windows of 1 MiB: 5 s to write and 1 s to read");
}

TEST(Fastest, HasOneKindOfWindowsForBothDirections) {
    auto const choice =
        fastest(box(8, 1), {}, {trial(eight, mib, {0, 4}, {0, 4}), trial(two, 4 * mib, {0, 3}, {0, 9})}, "a sample");
    EXPECT_EQ(choice.write, eight);
    EXPECT_EQ(choice.read, eight);
    EXPECT_EQ(choice.window, mib);
}

TEST(Fastest, MayBeIndependentInOneDirection) {
    auto const choice =
        fastest(box(8, 1), {}, {trial(eight, 4 * mib, {0, 4}, {0, 4}), trial(alone, mib, {0, 9}, {0, 1})}, "a sample");
    EXPECT_EQ(choice.write, eight);
    EXPECT_EQ(choice.read, alone);
    EXPECT_EQ(choice.window, 4 * mib);
    auto const checked = fastest(box(8, 1), parse_options("checksum=true"),
                                 {trial(eight, mib, {0, 4}, {0, 4}), trial(alone, mib, {0, 1}, {0, 1})}, "a sample");
    EXPECT_EQ(checked.read, eight) << "checksums are verified by aggregators";
    EXPECT_EQ(checked.write, alone);
}

TEST(Fastest, IsTheFirstOfThoseThatWereAsFast) {
    auto const choice =
        fastest(box(8, 1), {}, {trial(eight, mib, {0, 4}, {0, 4}), trial(two, mib, {0, 3.98}, {0, 3.98})}, "a sample");
    EXPECT_EQ(choice.write, eight);
    EXPECT_EQ(choice.read, eight);
}

TEST(Fastest, TakesTheFirstTimeWhereOneHasNoOtherAndLeavesOutWhatWasNotTried) {
    auto const choice =
        fastest(box(8, 1), {},
                {trial(eight, mib, {3, 1}, {3, 1}), trial(two, mib, {2}, {2}), trial(alone, mib, {}, {})}, "a sample");
    EXPECT_EQ(choice.write, two);
    EXPECT_EQ(choice.read, two);
    EXPECT_NE(choice.why.find("the fastest of 2"), std::string::npos);
}

Description blocks(Indices const& shape, Indices const& grid, weir_order order = WEIR_C_ORDER,
                   Indices const& block = {}) {
    return describe_blocks(static_cast<int>(shape.size()), shape.data(), block.empty() ? nullptr : block.data(),
                           grid.empty() ? nullptr : grid.data(), 8, order);
}

/// Of the runs that a rank holds, the mean length.
std::uint64_t run_bytes(Description const& d, CommRank place) {
    std::uint64_t bytes = 0;
    std::uint64_t runs = 0;
    for (auto const& part : Arrays({d}).share(place, Use::write)) {
        bytes += part.bytes();
        runs += count_runs(part);
    }
    return bytes / runs;
}

TEST(Sample, HasTheSameRunsAndFewerOfThem) {
    for (auto const order : {WEIR_C_ORDER, WEIR_FORTRAN_ORDER}) {
        auto const all = blocks({512, 512, 512}, {2, 2, 2}, order);
        auto const sample = sample_of({all}, 8, 64 * mib);
        ASSERT_TRUE(sample);
        EXPECT_LE(sample->front().bytes(), 64 * mib);
        EXPECT_GT(sample->front().bytes(), 32 * mib);
        for (std::uint64_t rank = 0; rank < 8; ++rank) {
            EXPECT_EQ(run_bytes(sample->front(), {rank, 8}), 2048U);
        }
    }
}

TEST(Sample, KeepsTheGridThatWasChosenForAll) {
    auto const all = blocks({4096, 1024, 64}, {});
    auto const sample = sample_of({all}, 16, mib);
    ASSERT_TRUE(sample);
    EXPECT_EQ(grid_of(sample->front(), 16), grid_of(all, 16));
}

TEST(Sample, LeavesABlockForEachRank) {
    auto const sample = sample_of({blocks({10000, 1000, 8}, {4, 5, 1}, WEIR_C_ORDER, {3, 7, 0})}, 20, mib);
    ASSERT_TRUE(sample);
    for (std::uint64_t rank = 0; rank < 20; ++rank) {
        EXPECT_GT(bytes_of(Arrays(*sample).share({rank, 20}, Use::write)), 0U) << rank;
    }
}

TEST(Sample, IsAllOfWhatIsSmall) {
    auto const all = blocks({10, 10}, {2, 1});
    EXPECT_EQ(sample_of({all, describe_replicated(5, 8)}, 2, mib)->front().shape, all.shape);
}

TEST(Sample, OfAPartLiesInASmallerWhole) {
    auto d = blocks({1000, 100, 100}, {2, 1, 1});
    Indices const larger{5000, 120, 130};
    Indices const start{4000, 10, 10};
    put_within(d, larger.data(), start.data());
    auto const sample = sample_of({d}, 2, mib);
    ASSERT_TRUE(sample);
    auto const& part = sample->front();
    EXPECT_LE(part.file_bytes(), mib);
    EXPECT_EQ(part.larger_shape[1], 120);
    EXPECT_EQ(part.larger_start[1], 10);
    EXPECT_EQ(part.larger_start[0], 0);
    EXPECT_EQ(part.larger_shape[0], part.shape[0]);
}

TEST(Sample, OfWhatAllRanksHoldIsShorter) {
    auto const sample = sample_of({describe_replicated(1 << 20, 8)}, 4, mib);
    ASSERT_TRUE(sample);
    EXPECT_EQ(sample->front().bytes(), mib);
}

TEST(Sample, CannotBeOfLargeListsNorOfRowsThatAreTooLong) {
    std::int64_t const first = 0;
    std::int64_t const length = 1 << 20;
    EXPECT_FALSE(sample_of({describe_pieces(1 << 20, 1, &first, &length, 8)}, 1, mib));
    EXPECT_FALSE(sample_of({blocks({2, 1 << 20}, {2, 1})}, 2, mib));
}

}  // namespace
}  // namespace weir::array
