// Parts of arrays that groups of ranks have, and parts that are the same for all.

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "core/json.hpp"
#include "pattern/combined_parts.hpp"
#include "pattern/operations.hpp"
#include "pattern/pattern.hpp"
#include "pattern/pattern_json.hpp"
#include "support/patterns/phases.hpp"

namespace weir {
namespace {

Array grid_of_bytes(std::vector<std::uint64_t> shape) {
    return {"field", {Element::Kind::natural, 1}, std::move(shape), 100};
}

/// Seven ranks read a field of 6 x 5 bytes by this partition, in groups of three.
Pattern in_groups(Partition by, std::optional<std::uint64_t> member = {}) {
    Pattern pattern{"groups", 7, {{"data"}}, {}, Scaling::none, {std::move(by)}};
    pattern.files[0].arrays = {grid_of_bytes({7, 5})};
    auto access = access_to(pattern, Verb::read, 0, 0, 0, {0, member.value_or(0) > 0 ? 2U : 3U, 3});
    access.part->ranks_per_group = 3;
    access.part->member = member;
    pattern.phases = {testing::phase_of("read", {Open{0, OpenMode::read}, access, Close{0}})};
    resolve(pattern);
    return pattern;
}

Access const& access_in(Pattern const& pattern) { return std::get<Access>(pattern.phases[0].steps[1]); }

TEST(PartsOfGroups, AreThoseOfTheirMembers) {
    auto const pattern = in_groups({.grid = {7, 1}});
    validate_pattern(pattern);
    EXPECT_EQ(pieces_of_all(sections_of(access_in(pattern), Rank{3})), (std::vector<Piece>{{115, 15}}));
    EXPECT_EQ(pieces_of_all(sections_of(access_in(pattern), Rank{6})), (std::vector<Piece>{{130, 5}}))
        << "the last group has one rank";
    EXPECT_EQ(volume(access_in(pattern)).bytes, 35U);
    EXPECT_EQ(volume(access_in(pattern)).requests, 3U);
    EXPECT_EQ(largest_request(access_in(pattern)), 15U);
    auto const second = in_groups({.grid = {7, 1}}, 1);
    validate_pattern(second);
    EXPECT_EQ(pieces_of_all(sections_of(access_in(second), Rank{3})), (std::vector<Piece>{{120, 5}}));
    EXPECT_EQ(volume(access_in(second)).requests, 2U) << "a group of one has no second member";
    EXPECT_EQ(pattern_from_json(Json::parse(to_json(second).dump())), second);
}

TEST(PartsOfGroups, FollowOneAnotherWhenTheyAreCounted) {
    auto const pattern = in_groups({.counts = {0, 2, 1, 0, 3, 0, 1}});
    auto const parts = sections_of(access_in(pattern), Rank{3});
    ASSERT_EQ(parts.size(), 1U);
    EXPECT_EQ(pieces_of_all(parts), (std::vector<Piece>{{115, 15}}));
    EXPECT_EQ(volume(access_in(pattern)).bytes, 35U);
    EXPECT_EQ(volume(access_in(pattern), Rank{0}).bytes, 15U);
}

TEST(PartsOfGroups, AreOneBoxWhereTheyFillIt) {
    auto const field = grid_of_bytes({4, 6});
    auto const parts = [&](std::vector<std::uint64_t> const& places) {
        std::vector<Section> found;
        for (auto const place : places) {
            found.push_back(part_of(field, {.grid = {2, 2}, .first_fastest = true}, place, 4));
        }
        return found;
    };
    CombinedParts const both(parts({0, 1}));  // one above the other: columns 0 to 2
    ASSERT_EQ(both.boxes().size(), 1U);
    EXPECT_EQ(both.boxes()[0].bytes(), 12U);
    EXPECT_EQ(CombinedParts(parts({0, 3})).boxes().size(), 2U) << "corners fill no box";
    EXPECT_EQ(CombinedParts(parts({0, 1, 2})).boxes().size(), 3U);
    EXPECT_EQ(CombinedParts(parts({0, 1, 2, 3})).pieces().size(), 1U);
}

TEST(PartsOfGroups, ArePackedInTheOrderOfTheFile) {
    auto const field = grid_of_bytes({2, 4});
    std::vector<Section> columns;
    for (std::uint64_t place = 0; place < 2; ++place) {
        columns.push_back(part_of(field, {.grid = {1, 2}}, place, 2));
    }
    CombinedParts const both(columns);
    auto const bytes = [](std::string_view text) { return std::as_bytes(std::span(text)); };
    std::string file(8, ' ');
    both.pack(bytes("abefcdgh"), std::as_writable_bytes(std::span(file)));
    EXPECT_EQ(file, "abcdefgh");
    std::string members(8, ' ');
    both.unpack(bytes(file), std::as_writable_bytes(std::span(members)));
    EXPECT_EQ(members, "abefcdgh");
}

TEST(SamePart, IsReadByEveryRank) {
    Pattern pattern{"same", 3, {{"data"}}, {}, Scaling::none, {{.same = IndexRange{2, 3}}}};
    pattern.files[0].arrays = {grid_of_bytes({7, 5})};
    auto access = access_to(pattern, Verb::read, 0, 0, 0, {0, 3, 1});
    pattern.phases = {testing::phase_of("read", {Open{0, OpenMode::read}, access, Close{0}})};
    validate_pattern(pattern);
    for (std::uint64_t rank = 0; rank < 3; ++rank) {
        EXPECT_EQ(pieces_of_all(sections_of(access, Rank{rank})), (std::vector<Piece>{{110, 15}}));
    }
    EXPECT_EQ(volume(access).bytes, 45U);
    EXPECT_EQ(pattern_from_json(Json::parse(to_json(pattern).dump())), pattern);
    for (auto const& outside : {IndexRange{5, 3}, IndexRange{7, 1}, IndexRange{2, 0}}) {
        auto wrong = pattern;
        wrong.partitions[0].same = outside;
        resolve(wrong);
        EXPECT_THROW(validate_pattern(wrong), Error) << outside.first << " " << outside.count;
    }
    std::get<Access>(pattern.phases[0].steps[1]).verb = Verb::write;
    std::get<Open>(pattern.phases[0].steps[0]).mode = OpenMode::create;
    EXPECT_THROW(validate_pattern(pattern), Error) << "who would be the last to write?";
}

TEST(FirstFastest, NumbersRanksTheOtherWayRound) {
    auto const field = grid_of_bytes({6, 4});
    auto const begin = [&](bool first_fastest, std::uint64_t place) {
        return part_of(field, {.grid = {3, 2}, .first_fastest = first_fastest}, place, 6).begin();
    };
    EXPECT_EQ(begin(false, 1), 102U) << "the next along the last dimension";
    EXPECT_EQ(begin(true, 1), 108U) << "the next along the first one";
    Partition const ours{.grid = {3, 2}, .first_fastest = true};
    Partition const theirs{.grid = {3, 2}};
    EXPECT_EQ(in_common(field, ours, 1, theirs, 6), (std::vector<Common>{{2, 4}}));
    EXPECT_EQ(in_common(field, theirs, 2, ours, 6), (std::vector<Common>{{1, 4}}));
}

TEST(PartsOfGroups, AreRefusedIfTheyAreNone) {
    auto const refuses = [](Pattern pattern, std::function<void(Access&)> const& spoil) {
        spoil(std::get<Access>(pattern.phases[0].steps[1]));
        EXPECT_THROW(validate_pattern(pattern), Error);
    };
    auto const good = in_groups({.grid = {7, 1}}, 1);
    refuses(good, [](Access& access) { access.ranks.first = 1; });
    refuses(good, [](Access& access) { access.ranks.count = 3; });  // rank 6 is alone
    refuses(good, [](Access& access) { access.part->member = 3; });
    refuses(good, [](Access& access) { access.part->ranks_per_group = 0; });
    auto messages = good;
    messages.phases[0].steps.emplace_back(InGroups{InGroups::Kind::broadcast, 0, 0, 0, 3, {}, {}});
    resolve(messages);
    EXPECT_THROW(validate_pattern(messages), Error) << "only what is the same for all is broadcast";
}

TEST(OpensThatMakeArrays, AllowOnlyThese) {
    Pattern pattern{"makes", 2, {{"data"}}, {}, Scaling::none, {{}}};
    pattern.files[0].arrays = {{"one", {Element::Kind::natural, 1}, {2}, 0},
                               {"two", {Element::Kind::natural, 1}, {2}, 2}};
    auto const access = access_to(pattern, Verb::write, 0, 1, 0, {0, 2, 1});
    Open open{0, OpenMode::update, {}, {}, false, IndexRange{1, 1}};
    pattern.phases = {testing::phase_of("write", {open, access, Close{0}})};
    validate_pattern(pattern);
    EXPECT_EQ(pattern_from_json(Json::parse(to_json(pattern).dump())), pattern);
    for (auto const& wrong : {IndexRange{0, 1}, IndexRange{1, 2}, IndexRange{3, 0}}) {
        std::get<Open>(pattern.phases[0].steps[0]).makes = wrong;
        EXPECT_THROW(validate_pattern(pattern), Error) << wrong.first << " " << wrong.count;
    }
}

TEST(NamesOfArrays, MayHaveGroups) {
    Pattern pattern{"names", 1, {{"data"}}, {}};
    for (auto const* name : {"a", "Time:  1.00000E+00 d/a", "x/y/z"}) {
        pattern.files[0].arrays = {{name, {Element::Kind::natural, 1}, {2}, 0}};
        EXPECT_NO_THROW(validate_pattern(pattern)) << name;
    }
    for (auto const* name : {"", "/a", "a/", "a//b", "./a", "a/.."}) {
        pattern.files[0].arrays = {{name, {Element::Kind::natural, 1}, {2}, 0}};
        EXPECT_THROW(validate_pattern(pattern), Error) << name;
    }
}

}  // namespace
}  // namespace weir
