// A pattern that scales is the one that its generator would have made for so many ranks.

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "pattern/parametric.hpp"
#include "pattern/scale.hpp"
#include "support/failures/error_of.hpp"
#include "support/patterns/phases.hpp"
#include "support/patterns/repeats.hpp"

namespace weir {
namespace {

using testing::deeds;

void expect_same(Pattern const& found, Pattern const& expected, std::string const& what) {
    ASSERT_EQ(found.ranks, expected.ranks) << what;
    EXPECT_EQ(found.files, expected.files) << what;
    EXPECT_EQ(totals(found), totals(expected)) << what;
    EXPECT_EQ(file_sizes(found), file_sizes(expected)) << what;
    for (std::uint64_t rank = 0; rank < found.ranks; ++rank) {
        EXPECT_EQ(deeds(found, Rank{rank}), deeds(expected, Rank{rank})) << what << ", rank " << rank;
    }
}

/// The parameters of both rules; a rank has four transfers in each segment.
Parameters parameters_for(Layout layout, Offsets offsets, std::uint64_t ranks, std::uint64_t block) {
    return {.ranks = ranks,
            .block = Bytes{block},
            .transfer = Bytes{16},
            .segments = 3,
            .layout = layout,
            .datasets = DatasetUnit::segment,
            .offsets = offsets,
            .check = true,
            .preallocate = true,
            .seed = 5};
}

template <class Visit>
void each_shape(Visit visit) {
    for (auto const layout : {Layout::shared, Layout::file_per_process}) {
        for (auto const offsets :
             {Offsets::sequential, Offsets::strided, Offsets::shuffled, Offsets::random, Offsets::random_partition}) {
            auto const interleaves = offsets == Offsets::strided || offsets == Offsets::random_partition;
            if (layout == Layout::shared || !interleaves) {
                visit(layout, offsets, std::string(to_text(layout)) + " " + std::string(to_text(offsets)));
            }
        }
    }
}

TEST(Scale, WeakEachRankKeepsItsBytes) {
    each_shape([](Layout layout, Offsets offsets, std::string const& what) {
        for (std::uint64_t const to : {1, 2, 3, 8}) {
            auto pattern = make_pattern(parameters_for(layout, offsets, 4, 64));
            pattern.scales = Scaling::weak;
            expect_same(scaled(pattern, to), make_pattern(parameters_for(layout, offsets, to, 64)),
                        what + " to " + std::to_string(to));
        }
    });
}

TEST(Scale, StrongAllTogetherKeepTheirs) {
    each_shape([](Layout layout, Offsets offsets, std::string const& what) {
        if (offsets == Offsets::strided) {
            return;  // below: each segment counts for itself there
        }
        for (std::uint64_t const to : {1, 2, 8, 16}) {
            auto p = parameters_for(layout, offsets, 4, 64);
            p.segments = 1;
            auto pattern = make_pattern(p);
            pattern.scales = Scaling::strong;
            p.ranks = to;
            p.block = Bytes{64 * 4 / to};
            expect_same(scaled(pattern, to), make_pattern(p), what + " to " + std::to_string(to));
        }
    });
}

TEST(Scale, StrongInterleavedRanksKeepTheirRequests) {
    auto p = parameters_for(Layout::shared, Offsets::strided, 4, 64);
    p.segments = 1;
    auto pattern = make_pattern(p);
    pattern.scales = Scaling::strong;
    p.ranks = 8;
    p.block = Bytes{32};
    expect_same(scaled(pattern, 8), make_pattern(p), "strided");
}

/// What lies in the gaps is unknown, and other ranks' pieces would lie on each other.
TEST(Scale, StrongInterleavedRanksWithGapsAreRefused) {
    auto const access = testing::access_of({0, 4, 1}, {{4, 8}}, {0, {{4, 64}}, 8});
    auto phase = testing::phase_of("w", {Open{0}, Repeat{2, {access}}, Close{0}});
    Pattern const pattern{"gaps", 4, {{"f"}}, {phase}, Scaling::strong};
    EXPECT_THROW(scaled(pattern, 2), Error);
    EXPECT_THROW(scaled(pattern, 8), Error);
}

/// Ten dumps of a record of each rank, behind a head of rank 0.
Pattern dumps() {
    auto const head = testing::access_of({}, {}, {0, {}, 32});
    auto record = testing::access_of({0, 4, 1}, {{4, 64}}, {32, {{4, 16}}, 16});
    record.advance = {256};
    auto phase =
        testing::phase_of("dumps", {Open{0}, head, Repeat{10, {record, Barrier{}}}, Sync{0, {{0, 1, 1}}}, Close{0}});
    return {"dumps", 4, {{"d", false, 0}}, {phase}, Scaling::weak};
}

TEST(Scale, WeakMovesRepeatsOverAllRanks) {
    auto const big = scaled(dumps(), 12);
    EXPECT_EQ(totals(big).bytes_written, 32 + 10 * 12 * 64U);
    EXPECT_EQ(file_sizes(big)[0], 32 + 10 * 12 * 64U) << "still without a gap";
    EXPECT_EQ(totals(big).syncs, 1U);
    auto strong = dumps();
    strong.scales = Scaling::strong;
    EXPECT_EQ(file_sizes(scaled(strong, 8)), file_sizes(strong));
    EXPECT_EQ(totals(scaled(strong, 8)).bytes_written, totals(strong).bytes_written);
}

TEST(Scale, OpensOfTheOtherRanksStayThoseOfTheOthers) {
    auto pattern = dumps();
    auto& steps = pattern.phases[0].steps;
    auto const head = steps[1];
    auto const rest = steps[2];
    auto const of = [&](Ranks const& others) {
        return std::vector<Step>{Open{0, OpenMode::create, {{0, 1, 1}}},
                                 head,
                                 Open{0, OpenMode::update, others},
                                 rest,
                                 Close{0, {{0, 1, 1}}},
                                 Close{0, others}};
    };
    steps = of({{1, 3, 1}});
    auto const bigger = scaled(pattern, 8).phases[0].steps;
    EXPECT_EQ(bigger[2], Step(Open{0, OpenMode::update, {{1, 7, 1}}}));
    EXPECT_EQ(bigger[5], Step(Close{0, {{1, 7, 1}}}));
    auto const alone = scaled(pattern, 1);
    EXPECT_EQ(alone.phases[0].steps.size(), 4U);
    EXPECT_EQ(totals(alone).opens, 1U);
}

void expect_refused(Pattern const& pattern, std::uint64_t ranks, std::string const& words) {
    testing::expect_error(ExitCode::usage, words, [&] { scaled(pattern, ranks); });
}

TEST(Scale, RefusesWhatItsRuleDoesNotCover) {
    auto pattern = dumps();
    auto& steps = pattern.phases[0].steps;
    auto const whole = steps;
    auto& head = std::get<Access>(steps[1]);
    head.extent.length = 40;
    expect_refused(pattern, 8, "rank 0 alone asks for what lies among the parts of all ranks");
    steps = whole;
    std::get<Sync>(steps[3]).ranks = {{1, 2, 1}};
    expect_refused(pattern, 8, "a step is made by some ranks only");
    steps = whole;
    auto& record = std::get<Access>(std::get<Repeat>(steps[2]).steps[0]);
    record.advance = {257};
    expect_refused(pattern, 8, "a distance of bytes 257 is no multiple of the ranks");
    steps = whole;
    record.rank_levels = {{2, 128}, {2, 64}};
    expect_refused(pattern, 8, "more than one level). Replay it with as many.");
    steps = whole;
    record.ranks = {0, 2, 1};
    record.rank_levels = {{2, 64}};
    expect_refused(pattern, 8, "an access is made by some ranks only");
    steps = whole;
    pattern.scales = Scaling::strong;
    expect_refused(pattern, 3, "cannot be divided evenly");
    pattern.scales = Scaling::none;
    expect_refused(pattern, 8, "does not say how it scales");
    EXPECT_EQ(scaled(pattern, 4), pattern);
}

TEST(Scale, RefusesLists) {
    auto pattern = dumps();
    Access listed;
    listed.ranks = {0, 4, 1};
    listed.lists = PieceLists({{{0, 8}}, {}, {}, {}});
    pattern.phases[0].steps[1] = listed;
    expect_refused(pattern, 8, "its pieces are listed");
}

}  // namespace
}  // namespace weir
