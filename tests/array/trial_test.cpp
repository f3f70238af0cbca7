#include "array/trial.hpp"

#include <gtest/gtest.h>

namespace weir::array {
namespace {

constexpr std::uint64_t MiB = 1 << 20;

/// 512^3 doubles in runs of 2 KiB.
PlanFacts cube(std::uint64_t ranks, std::uint64_t nodes) {
    PlanFacts facts;
    facts.ranks = ranks;
    facts.nodes = nodes;
    facts.cores = 2;
    facts.bytes = 1024 * MiB;
    facts.write = facts.read = {facts.bytes, facts.bytes / 2048, facts.bytes / 2048 / ranks};
    return facts;
}

Trial trial(Way const& way, std::uint64_t window, std::vector<double> write, std::vector<double> read) {
    return {way, window, std::move(write), std::move(read)};
}

constexpr Way eight{Method::two_phase, 8};
constexpr Way two{Method::two_phase, 2};
constexpr Way alone{Method::independent, 8};

TEST(WorthTrying, BeginsWithWhatIsReckonedTheFastest) {
    auto const facts = cube(8, 1);
    auto const trials = worth_trying(facts, {});
    ASSERT_GE(trials.size(), 3U);
    ASSERT_LE(trials.size(), 6U);
    EXPECT_EQ(trials[0].way, choose(facts, {}).write);
    EXPECT_EQ(trials[0].window, choose(facts, {}).window);
    EXPECT_EQ(trials[1].way, trials[0].way);
    EXPECT_EQ(trials[1].window, 4 * MiB) << "the same with other windows";
}

TEST(WorthTrying, IsOnlyWhatTheUserLeavesOpen) {
    auto const facts = cube(8, 1);
    auto const of = [&](char const* text) { return worth_trying(facts, parse_options(text)); };
    EXPECT_EQ(of("method=gather window=1MiB").size(), 1U);
    EXPECT_EQ(of("method=gather").size(), 2U) << "two windows";
    for (auto const& one : of("method=two_phase readers=3 writers=2")) {
        EXPECT_EQ(one.way.method, Method::two_phase);
        EXPECT_TRUE(one.way.aggregators == 2 || one.way.aggregators == 3);
    }
}

TEST(WorthTrying, IsNothingThatTakesTenTimesAsLong) {
    auto facts = cube(8, 1);
    facts.profile.write.request_s = 1;
    for (auto const& one : worth_trying(facts, {})) {
        EXPECT_NE(one.way.method, Method::independent);
    }
}

TEST(Fastest, IsTakenApartForWritingAndReadingByTheMedianWithoutTheFirst) {
    auto const choice = fastest(
        cube(8, 1), {}, {trial(eight, MiB, {1, 5, 5, 5}, {9, 1, 1, 1}), trial(two, MiB, {9, 4, 4, 9}, {1, 2, 2, 2})},
        "a sample");
    EXPECT_EQ(choice.write, two);
    EXPECT_EQ(choice.read, eight);
    EXPECT_EQ(choice.window, MiB);
    EXPECT_EQ(
        choice.why,
        "two-phase, 2 writers and 8 readers, windows of 1 MiB: 4 s to write and 1 s to read, the fastest of 2 for a "
        "sample; next two-phase, 8 writers, windows of 1 MiB: 5 s to write and 1 s to read");
}

TEST(Fastest, HasOneKindOfWindowsForBothDirections) {
    auto const choice =
        fastest(cube(8, 1), {}, {trial(eight, MiB, {0, 4}, {0, 4}), trial(two, 4 * MiB, {0, 3}, {0, 9})}, "a sample");
    EXPECT_EQ(choice.write, eight);
    EXPECT_EQ(choice.read, eight);
    EXPECT_EQ(choice.window, MiB);
}

TEST(Fastest, MayBeIndependentInOneDirection) {
    auto const choice =
        fastest(cube(8, 1), {}, {trial(eight, 4 * MiB, {0, 4}, {0, 4}), trial(alone, MiB, {0, 9}, {0, 1})}, "a sample");
    EXPECT_EQ(choice.write, eight);
    EXPECT_EQ(choice.read, alone);
    EXPECT_EQ(choice.window, 4 * MiB);
    auto const checked = fastest(cube(8, 1), parse_options("checksum=true"),
                                 {trial(eight, MiB, {0, 4}, {0, 4}), trial(alone, MiB, {0, 1}, {0, 1})}, "a sample");
    EXPECT_EQ(checked.read, eight) << "checksums are verified by aggregators";
    EXPECT_EQ(checked.write, alone);
}

TEST(Fastest, IsTheFirstOfThoseThatWereAsFast) {
    auto const choice =
        fastest(cube(8, 1), {}, {trial(eight, MiB, {0, 4}, {0, 4}), trial(two, MiB, {0, 3.98}, {0, 3.98})}, "a sample");
    EXPECT_EQ(choice.write, eight);
    EXPECT_EQ(choice.read, eight);
}

TEST(Fastest, TakesTheFirstTimeWhereOneHasNoOtherAndLeavesOutWhatWasNotTried) {
    auto const choice =
        fastest(cube(8, 1), {},
                {trial(eight, MiB, {3, 1}, {3, 1}), trial(two, MiB, {2}, {2}), trial(alone, MiB, {}, {})}, "a sample");
    EXPECT_EQ(choice.write, two);
    EXPECT_EQ(choice.read, two);
    EXPECT_NE(choice.why.find("the fastest of 2"), std::string::npos);
}

}  // namespace
}  // namespace weir::array
