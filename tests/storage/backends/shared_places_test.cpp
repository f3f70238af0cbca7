#include "storage/backends/mpiio/shared_places.hpp"

#include <gtest/gtest.h>

#include "pattern/parametric.hpp"
#include "support/failures/error_of.hpp"
#include "support/patterns/phases.hpp"

namespace weir {
namespace {

using Lists = std::vector<std::vector<Piece>>;

Access with_lists(Lists const& lists) {
    Access access;
    access.ranks = {0, lists.size(), 1};
    access.lists = PieceLists(lists);
    return access;
}

TEST(InRankOrder, IsOneRequestOfEachRankARound) {
    EXPECT_TRUE(in_rank_order(testing::access_of({0, 3, 1}, {{3, 7}}, {5, {{4, 21}}, 7})));
    EXPECT_TRUE(in_rank_order(testing::access_of({1, 1, 1}, {}, {0, {{4, 7}}, 7}))) << "one rank alone";
    EXPECT_FALSE(in_rank_order(testing::access_of({0, 3, 1}, {{3, 28}}, {0, {{4, 7}}, 7}))) << "a block of each rank";
    EXPECT_FALSE(in_rank_order(testing::access_of({0, 3, 1}, {{3, 8}}, {0, {}, 7}))) << "gaps";
    EXPECT_FALSE(in_rank_order(testing::access_of({0, 3, 1}, {{3, -7}}, {14, {}, 7}))) << "backwards";
    EXPECT_FALSE(in_rank_order(testing::access_of({0, 3, 1}, {}, {0, {}, 7}))) << "all at the same place";
}

TEST(InRankOrder, HoldsForRequestsOfAnyLength) {
    EXPECT_TRUE(in_rank_order(with_lists({{{10, 1}, {18, 3}}, {{11, 7}, {21, 2}}})));
    EXPECT_TRUE(in_rank_order(with_lists({{}, {{0, 5}, {7, 1}}, {{5, 2}}}))) << "some have fewer";
    EXPECT_TRUE(in_rank_order(with_lists({{}, {}})));
    EXPECT_FALSE(in_rank_order(with_lists({{{0, 1}}, {{2, 1}}}))) << "a gap";
    EXPECT_FALSE(in_rank_order(with_lists({{{1, 1}}, {{0, 1}}}))) << "in another order";
    EXPECT_FALSE(in_rank_order(with_lists({{{0, 2}}, {{1, 2}}}))) << "an overlap";
}

TEST(FillWithoutGaps, InAnyOrder) {
    EXPECT_TRUE(fill_without_gaps(testing::access_of({0, 3, 1}, {{3, 7}}, {5, {{4, 21}}, 7})));
    EXPECT_TRUE(fill_without_gaps(testing::access_of({0, 3, 1}, {{3, 28}}, {5, {{4, 7}}, 7})));
    EXPECT_FALSE(fill_without_gaps(testing::access_of({0, 3, 1}, {{3, 29}}, {5, {{4, 7}}, 7})));
    EXPECT_FALSE(fill_without_gaps(testing::access_of({0, 3, 1}, {}, {0, {{4, 7}}, 7}))) << "written thrice";
    EXPECT_FALSE(fill_without_gaps(with_lists({{{0, 1}}, {{1, 2}}}))) << "of two lengths";
}

TEST(FirstByte, IsTheLowestOfAllRanksOrOfOne) {
    auto nest = testing::access_of({0, 3, 1}, {{3, 7}}, {5, {{4, 21}}, 7});
    EXPECT_EQ(first_byte(nest), 5U);
    EXPECT_EQ(first_byte(nest, Rank{2}), 19U);
    auto lists = with_lists({{}, {{30, 1}}, {{20, 10}}});
    lists.extent.start = 100;
    EXPECT_EQ(first_byte(lists), 120U);
    EXPECT_EQ(first_byte(lists, Rank{0}), 100U);
    EXPECT_EQ(first_byte(lists, Rank{1}), 130U);
}

struct SharedPointer : ::testing::Test {
    /// What a case is refused with; nothing where it is not.
    std::string refusal() {
        return testing::refusal_of(ExitCode::usage, [&] { refuse_other_places(make_pattern(parameters)); }).reason;
    }
    void expect_refused(std::string const& words) {
        auto const reason = refusal();
        EXPECT_TRUE(testing::has(reason, words)) << reason;
    }
    Parameters parameters{.ranks = 2, .block = Bytes{64}, .transfer = Bytes{16}, .segments = 3};
};

TEST_F(SharedPointer, PlacesWhatIsAsked) {
    EXPECT_EQ(refusal(), "");
    parameters.offsets = Offsets::strided;
    EXPECT_EQ(refusal(), "");
    parameters.collective = true;
    EXPECT_EQ(refusal(), "");
    parameters.offsets = Offsets::sequential;
    parameters.block = parameters.transfer;
    EXPECT_EQ(refusal(), "");
    parameters = {.ranks = 3, .files = 2, .layout = Layout::file_per_process, .mixed = true};
    EXPECT_EQ(refusal(), "");
}

TEST_F(SharedPointer, RefusesPlacesThatItDoesNotGive) {
    parameters.collective = true;
    expect_refused("lie in the order of ranks");
    parameters.collective = false;
    for (auto const offsets : {Offsets::shuffled, Offsets::random, Offsets::random_partition}) {
        parameters.offsets = offsets;
        expect_refused("only goes forward");
    }
    parameters.offsets = Offsets::strided;
    parameters.list_io = true;
    expect_refused("has more than one place");
    parameters.list_io = false;
    parameters.mixed = true;
    expect_refused("could be a place that was not written");
    parameters.mixed = false;
    parameters.reorder = Readers::node;
    expect_refused("cannot choose to read");
}

TEST_F(SharedPointer, ChecksIndependentRequestsByTheirFirstWord) {
    auto access = testing::access_of({0, 2, 1}, {{2, 7}}, {0, {{4, 14}}, 7});
    access.verb = Verb::check;
    Pattern pattern{"odd", 2, {{"data"}}, {testing::phase_of("check", {Open{}, access, Close{}})}};
    testing::expect_error(ExitCode::usage, "by its first word", [&] { refuse_other_places(pattern); });
    pattern.phases[0].collective = true;
    EXPECT_NO_THROW(refuse_other_places(pattern)) << "their places are known";
}

}  // namespace
}  // namespace weir
