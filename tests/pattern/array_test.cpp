#include "pattern/array.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "core/error.hpp"
#include "pattern/expansion.hpp"
#include "pattern/operations.hpp"
#include "pattern/pattern_json.hpp"
#include "pattern/scale.hpp"
#include "support/failures/error_of.hpp"
#include "support/patterns/phases.hpp"

namespace weir {
namespace {

/// A file with a header and one array of reals; all ranks write the header's array 0 by rank 0, and share array 1.
Pattern pattern_of(Array array, Partition by, std::uint64_t ranks) {
    Pattern pattern{"arrays", ranks, {{.name = "data"}}, {}, Scaling::strong, {{}, std::move(by)}};
    pattern.files[0].arrays = {{"header", {Element::Kind::text, 24}, {}, 0}, std::move(array)};
    auto phase = testing::phase_of("write", {});
    phase.steps.emplace_back(Open{});
    phase.steps.emplace_back(access_to(pattern, Verb::write, 0, 0, 0, {0, 1, 1}));
    phase.steps.emplace_back(access_to(pattern, Verb::write, 0, 1, 1, {0, ranks, 1}));
    phase.steps.emplace_back(Close{});
    pattern.phases.push_back(std::move(phase));
    return pattern;
}

Array reals(std::vector<std::uint64_t> shape) { return {"field", {Element::Kind::real, 4}, std::move(shape), 24}; }

/// Every byte of the file by the ranks that write it.
std::vector<std::set<std::uint64_t>> writers(Pattern const& pattern) {
    std::vector<std::set<std::uint64_t>> bytes(file_sizes(pattern).at(0));
    testing::expand_all(pattern, [&](std::uint64_t rank, Deed const& deed) {
        for (auto i = deed.offset; deed.action == Action::write && i < deed.offset + deed.length; ++i) {
            bytes.at(i).insert(rank);
        }
    });
    return bytes;
}

TEST(Array, IsDividedAsItsPartitionSays) {
    auto const pattern = pattern_of(reals({4, 6}), {.grid = {2, 2}}, 4);
    validate_pattern(pattern);
    auto const bytes = writers(pattern);
    ASSERT_EQ(bytes.size(), 24U + 4 * 24);
    for (std::uint64_t i = 0; i < 24; ++i) {
        EXPECT_EQ(bytes[i], (std::set<std::uint64_t>{0}));
        auto const row = i / 6;
        auto const column = i % 6;
        EXPECT_EQ(bytes[24 + 4 * i], (std::set<std::uint64_t>{row / 2 * 2 + column / 3})) << i;
    }
    auto const sums = totals(pattern);
    EXPECT_EQ(sums.operations, 5U) << "the header, and a request of each rank";
    EXPECT_EQ(sums.bytes_written, bytes.size());
    EXPECT_EQ(totals(pattern, Rank{3}).bytes_written, 24U);
    EXPECT_EQ(largest_request(pattern), 24U);
}

TEST(Array, CountsGoRankByRankAndInCycles) {
    auto const pattern = pattern_of(reals({9, 2}), {.counts = {2, 3, 1}, .cycle = true}, 5);
    EXPECT_EQ(misfit(reals({9, 2}), {.counts = {2, 3, 1}, .cycle = true}, 5),
              "its counts are not 9 in all, which the array's slowest dimension has");
    EXPECT_FALSE(misfit(reals({11, 2}), {.counts = {2, 3, 1}, .cycle = true}, 5));
    auto const section = part_of(reals({11, 2}), {.counts = {2, 3, 1}, .cycle = true}, 3, 5);
    EXPECT_EQ(section.begin(), 24U + 6 * 8);
    EXPECT_EQ(section.bytes(), 2U * 8);
    EXPECT_THROW(validate_pattern(pattern), Error);
}

/// Each byte of an array is written once, whatever its shape and the partition; totals and pieces agree with what is
/// written.
TEST(Array, IsWrittenOnceWhateverThePartition) {
    std::mt19937_64 random(14);
    auto const below = [&](std::uint64_t n) { return random() % n; };
    for (int trial = 0; trial < 400; ++trial) {
        SCOPED_TRACE(trial);
        auto const ranks = 1 + below(7);
        std::vector<std::uint64_t> shape(1 + below(3));
        std::vector<std::uint64_t> block;
        for (auto& extent : shape) {
            extent = below(8);
            block.push_back(below(4));
        }
        Partition by;
        if (below(2) == 0) {
            by.block = block;
        }
        auto const pattern = pattern_of(reals(shape), by, ranks);
        validate_pattern(pattern);
        auto const bytes = writers(pattern);
        for (auto const& ranks_of_byte : bytes) {
            ASSERT_EQ(ranks_of_byte.size(), 1U);
        }
        auto const& access = std::get<Access>(pattern.phases[0].steps[2]);
        std::uint64_t pieces = 0;
        for (std::uint64_t rank = 0; rank < ranks; ++rank) {
            Operations operations(access, Rank{rank});
            EXPECT_EQ(pieces_of(access, Rank{rank}), operations.count());
            pieces += operations.count();
        }
        EXPECT_EQ(volume(access).pieces, pieces);
        EXPECT_EQ(volume(access).bytes + 24, bytes.size());
    }
}

TEST(Array, GoesToJsonAndBack) {
    auto const pattern = pattern_of(reals({4, 6}), {.grid = {2, 2}, .block = {1, 2}}, 4);
    auto const json = to_json(pattern);
    EXPECT_EQ(pattern_from_json(json, {}), pattern);
    EXPECT_EQ(json["files"][0]["arrays"][1].dump(), R"({"name":"field","element":"f4","shape":[4,6],"offset":24})");
    EXPECT_EQ(json["phases"][0]["steps"][2].dump(),
              R"({"access":{"verb":"write","file":0,"ranks":{"first":0,"count":4,"step":1},"array":1,"partition":1}})");
}

TEST(Array, IsDividedAnewAmongOtherRanks) {
    auto const pattern = scaled(pattern_of(reals({4, 6}), {.grid = {2, 2}}, 4), 6);
    EXPECT_EQ(pattern.ranks, 6U);
    EXPECT_EQ(totals(pattern).bytes_written, 24U + 96);
    EXPECT_EQ(totals(pattern).operations, 7U);
    for (auto const& ranks : writers(pattern)) {
        EXPECT_EQ(ranks.size(), 1U);
    }
}

std::string problem_of(Pattern const& pattern) {
    return testing::refusal_of(ExitCode::usage, [&] { validate_pattern(pattern); }).reason;
}

TEST(Array, IsRefusedWhereItDoesNotFit) {
    EXPECT_EQ(problem_of(pattern_of(reals({4, 6}), {.grid = {2, 3}}, 4)), "its grid of 2 x 3 does not hold 4 ranks");
    EXPECT_EQ(problem_of(pattern_of(reals({4, 6}), {.grid = {4}}, 4)), "it has 1 dimensions, and the array 2");
    EXPECT_EQ(problem_of(pattern_of(reals({}), {}, 4)), "one element is not divided among 4 ranks");
    EXPECT_EQ(problem_of(pattern_of(reals({4}), {.counts = {1, 1}}, 4)), "it has 2 counts for 4 ranks");
    EXPECT_EQ(problem_of(pattern_of(reals({1ULL << 40, 1ULL << 40}), {}, 4)),
              "the array ends at 2^63 bytes or beyond, or has more than 7 dimensions");
    auto overlapping = reals({4});
    overlapping.offset = 23;
    EXPECT_EQ(problem_of(pattern_of(overlapping, {}, 4)), "arrays 'header' and 'field' of 'data' overlap");
    auto twice = reals({4});
    twice.name = "header";
    EXPECT_EQ(problem_of(pattern_of(twice, {}, 4)), "'header' of 'data' is the name of two arrays");
    auto unknown = pattern_of(reals({4}), {}, 4);
    std::get<Access>(unknown.phases[0].steps[2]).part->array = 2;
    EXPECT_EQ(problem_of(unknown), "'data' has no array 2");
}

/// A pattern of two ranks with one step of each kind that is no access.
Pattern between() {
    Pattern pattern{"between", 2, {{"new"}, {"old"}}, {}};
    auto phase = testing::phase_of("write", {});
    Access access;
    access.extent.length = 8;
    access.asynchronous = true;
    phase.steps = {Open{0},
                   Seek{0, 24, {{1, 1, 1}}, {}, {}},
                   access,
                   Wait{0, {}, {}},
                   Close{0},
                   Rename{0, 1, {}, {}},
                   Remove{1, {}},
                   Broadcast{24, 1, {}},
                   Send{{0, 1, 1}, {1, 1, 1}, 512}};
    pattern.phases = {phase};
    return pattern;
}

TEST(StepsBetween, GoToJsonAndBack) {
    auto const pattern = between();
    EXPECT_EQ(pattern_from_json(to_json(pattern), {}), pattern);
    EXPECT_EQ(file_sizes(pattern), (std::vector<std::uint64_t>{8, 8}));
    EXPECT_EQ(largest_request(pattern), 512U);
}

TEST(StepsBetween, AreToldOfEachRank) {
    std::string text;
    expansion_csv(between(), Rank{1}, [&](std::string_view lines) { text += lines; });
    EXPECT_EQ(text,
              "1,write,0,open,new,,,,create,,\n1,write,1,seek,new,24,,,,,\n1,write,3,wait,new,,,,,,\n"
              "1,write,4,close,new,,,,,,\n1,write,5,rename,new,,,,,,old\n1,write,6,remove,old,,,,,,\n"
              "1,write,7,broadcast,,,24,,,1,\n1,write,8,receive,,,512,,,0,\n");
}

TEST(StepsBetween, AreRefusedWhereTheyCannotBe) {
    auto open = between();
    std::swap(open.phases[0].steps[4], open.phases[0].steps[5]);
    EXPECT_EQ(problem_of(open), "file 0 is open");
    auto same = between();
    std::get<Rename>(same.phases[0].steps[5]).to = 0;
    EXPECT_EQ(problem_of(same), "file 0 would take its own place");
    auto uneven = between();
    std::get<Send>(uneven.phases[0].steps[8]).to = {0, 2, 1};
    EXPECT_EQ(problem_of(uneven), "not as many ranks receive as send");
    auto root = between();
    std::get<Broadcast>(root.phases[0].steps[7]).root = 2;
    EXPECT_EQ(problem_of(root), "rank 2 broadcasts to ranks that it is not among");
    auto unopened = between();
    std::swap(unopened.phases[0].steps[3], unopened.phases[0].steps[4]);
    EXPECT_NE(problem_of(unopened), "");
    auto together = between();
    std::get<Access>(together.phases[0].steps[2]).collective = true;
    EXPECT_EQ(problem_of(together).substr(0, 44), "an asynchronous access is collective, checks");
}

}  // namespace
}  // namespace weir
