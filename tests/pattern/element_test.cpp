#include "pattern/element.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "core/json.hpp"
#include "pattern/pattern_json.hpp"
#include "pattern/prepare_replay.hpp"
#include "pattern/scale.hpp"
#include "support/failures/error_of.hpp"
#include "support/patterns/phases.hpp"

namespace weir {
namespace {

Element const step_type{Element::Kind::integer, 4};
Element const time_type{Element::Kind::real, 8};

/// The scalars of a program, with a gap before the time.
Element scalars() { return {Element::Kind::compound, 24, {{"step", step_type, 0}, {"time", time_type, 8}}}; }

/// A file with an array of this element, an attribute of the array, and one of the same name of the file; rank 0 of
/// two ranks writes all three.
Pattern pattern_with(Element const& element) {
    Pattern pattern{"elements", 2, {{.name = "data"}}, {}, Scaling::strong, {Partition{}}};
    pattern.files[0].arrays = {{"scalars", element, {}, 0},
                               {"unit", {Element::Kind::text, 3}, {1}, 64, "scalars"},
                               {"unit", time_type, {}, 72, ""}};
    auto phase = testing::phase_of("write", {Open{}});
    for (std::uint64_t array = 0; array < 3; ++array) {
        phase.steps.emplace_back(access_to(pattern, Verb::write, 0, array, 0, {0, 1, 1}));
    }
    phase.steps.emplace_back(Close{});
    pattern.phases.push_back(std::move(phase));
    return pattern;
}

std::string reason_of(Pattern const& pattern) {
    return testing::refusal_of(ExitCode::usage, [&] { validate_pattern(pattern); }).reason;
}

std::string reason_of(Element const& element) { return reason_of(pattern_with(element)); }

TEST(Element, IsWrittenAsNumPyWritesTypes) {
    for (auto const* text : {"i1", "u8", "f4", "f8", "S24"}) {
        EXPECT_EQ(to_text(element_from_text(text, "it")), text);
    }
    for (auto const* text : {"", "f", "f2", "u3", "x8", "S0", "S", "f8x", "S-1"}) {
        EXPECT_THROW(element_from_text(text, "it"), Error) << text;
    }
}

TEST(Compound, HasTheBytesThatItsMembersNeedUnlessItIsGivenMore) {
    EXPECT_EQ(compound_of({{"time", time_type, 8}, {"step", step_type, 0}}).bytes, 16U);
    EXPECT_EQ(to_text(scalars()), "{i4 step at 0, f8 time at 8}");
    EXPECT_EQ(bytes_of(pattern_with(scalars()).files[0].arrays[0]), 24U);
    EXPECT_NE(scalars(), compound_of(scalars().members));
}

TEST(Compound, GoesToJsonAndBack) {
    auto const pattern = pattern_with(scalars());
    auto const json = to_json(pattern);
    EXPECT_EQ(pattern_from_json(json), pattern);
    auto const& arrays = json["files"][0]["arrays"];
    EXPECT_EQ(arrays[0]["element"].dump(), R"({"bytes":24,"members":[{"name":"step","element":"i4","offset":0},)"
                                           R"({"name":"time","element":"f8","offset":8}]})");
    EXPECT_EQ(arrays[1].dump(), R"({"name":"unit","element":"S3","shape":[1],"offset":64,"attribute_of":"scalars"})");
    EXPECT_EQ(arrays[2]["attribute_of"], "");
}

TEST(Compound, IsReadStrictly) {
    auto const with = [](Json const& element) {
        auto json = to_json(pattern_with(scalars()));
        json["files"][0]["arrays"][0]["element"] = element;
        return testing::refusal_of(ExitCode::usage, [&] { pattern_from_json(json); });
    };
    EXPECT_TRUE(testing::has(with(8).problem, "element"));
    EXPECT_TRUE(testing::has(with({{"bytes", 8}}).problem, "members"));
    auto const member = [&](Json const& of) {
        return with({{"bytes", 8}, {"members", {{{"name", "a"}, {"element", of}, {"offset", 0}}}}}).problem;
    };
    EXPECT_EQ(member("f8"), "");
    EXPECT_TRUE(testing::has(member("f7"), "files[0].arrays[0].element.members[0].element is 'f7'"));
    EXPECT_TRUE(testing::has(member({{"bytes", 1}, {"members", Json::array()}}), "element"));
}

TEST(Compound, IsRefusedWhereItsMembersDoNotFit) {
    auto const reason = [](std::string const& why) { return "the element of 'scalars' of 'data' cannot be: " + why; };
    auto const of = [](std::uint64_t bytes, std::vector<Member> members) {
        return reason_of(Element{Element::Kind::compound, bytes, std::move(members)});
    };
    EXPECT_EQ(of(24, scalars().members), "");
    EXPECT_EQ(of(1, {{"one", {Element::Kind::text, 1}, 0}}), "");
    EXPECT_EQ(of(8, {}), reason("it is a compound without members"));
    EXPECT_EQ(of(0, scalars().members), reason("no element of its kind has 0 bytes"));
    EXPECT_EQ(of(15, scalars().members), reason("its member 'time' ends beyond its 15 bytes"));
    EXPECT_EQ(of(4, {{"time", time_type, 0}}), reason("its member 'time' ends beyond its 4 bytes"));
    EXPECT_EQ(of(8, {{"time", time_type, ~std::uint64_t{0}}}), reason("its member 'time' ends beyond its 8 bytes"));
    EXPECT_EQ(of(16, {{"b", time_type, 7}, {"a", time_type, 0}}), reason("its members 'a' and 'b' overlap"));
    EXPECT_EQ(of(16, {{"a", time_type, 0}, {"a", time_type, 8}}), reason("two of its members are named 'a'"));
    EXPECT_EQ(of(16, {{"", time_type, 0}}), reason("'' is no name of a member"));
    EXPECT_EQ(of(16, {{"a", {Element::Kind::real, 2}, 0}}), reason("no element of its kind has 2 bytes"));
    EXPECT_EQ(of(40, {{"a", scalars(), 0}}), reason("its member 'a' is a compound itself"));
}

TEST(Attribute, IsRefusedWhereItCannotBe) {
    auto const with = [](auto change) {
        auto pattern = pattern_with(scalars());
        change(pattern);
        resolve(pattern);
        return reason_of(pattern);
    };
    EXPECT_EQ(with([](Pattern& p) { p.files[0].arrays[1].attribute_of = "else"; }),
              "attribute 'unit' of 'data' is of 'else', which is no array of it");
    EXPECT_EQ(with([](Pattern& p) { p.files[0].arrays[2].attribute_of = "unit"; }),
              "attribute 'unit' of 'data' is of 'unit', which is no array of it");
    EXPECT_EQ(with([](Pattern& p) { p.files[0].arrays[2].attribute_of = "scalars"; }),
              "'unit' of 'data' is the name of two arrays");
    for (auto const& shape : {std::vector<std::uint64_t>{1, 1}, {0}}) {
        EXPECT_EQ(with([&](Pattern& p) { p.files[0].arrays[1].shape = shape; }),
                  "attribute 'unit' of 'data' has more than one dimension, or no element");
    }
    EXPECT_EQ(with([](Pattern& p) {
                  std::get<Access>(p.phases[0].steps[2]).ranks = {1, 1, 1};
              }),
              "not rank 0 alone accesses the attribute 'unit'");
    EXPECT_EQ(with([](Pattern& p) {
                  std::get<Access>(p.phases[0].steps[2]).ranks = {0, 2, 1};
              }),
              "not rank 0 alone accesses the attribute 'unit'");
}

TEST(Attribute, StaysOfOneRankHoweverManyThereAre) {
    auto pattern = pattern_with(scalars());
    for (std::uint64_t const from : {1, 2}) {
        pattern.ranks = from;
        auto const more = scaled(pattern, 4);
        EXPECT_EQ(std::get<Access>(more.phases[0].steps[2]).ranks, (RankSet{0, 1, 1}));
    }
}

TEST(Attribute, IsMadeByOneRankForAPatternThatOnlyReadsIt) {
    auto pattern = pattern_with(scalars());
    auto& steps = pattern.phases[0].steps;
    std::get<Open>(steps.front()).mode = OpenMode::read;
    for (std::size_t i = 1; i < 4; ++i) {
        std::get<Access>(steps[i]).verb = Verb::read;
    }
    auto const made = with_files_made(pattern);
    ASSERT_EQ(made.phases.size(), 2U);
    EXPECT_EQ(std::get<Access>(made.phases[0].steps[2]).ranks, (RankSet{0, 1, 1}));
    EXPECT_NO_THROW(validate_pattern(made));
}

}  // namespace
}  // namespace weir
