#include "core/option.hpp"
#include "core/json.hpp"

#include <gtest/gtest.h>

#include <map>

#include "support/failures/error_of.hpp"
#include "support/json_part.hpp"

namespace weir {
namespace {

enum class Colour { red, green };
constexpr std::array<std::string_view, 2> enum_names(Colour) { return {"red", "green"}; }

struct Options : ::testing::Test {
    Options() {
        set.group("shape");
        set.add("block", block, "bytes of a block", {8, 1 << 30});
        set.add("pause", pause, "time between", {0.0, {}});
        set.add("count", count, "how many", {1, 10});
        set.add("check", check, "look again");
        set.add("colour", colour, "which one");
        set.add("way", way, "how", {"here", "there"});
        set.add("hint", hints, "key=value");
    }
    Bytes block{1024};
    Seconds pause{};
    std::uint64_t count = 1;
    bool check = false;
    Colour colour = Colour::red;
    std::string way = "here";
    std::vector<std::string> hints;
    OptionSet set;
};

TEST_F(Options, SayWhatTheyAreAMultipleOf) {
    Bytes transfer{64};
    set.add("transfer", transfer, "bytes of a request", {8, {}, 8});
    EXPECT_EQ(set.schema().back()["multiple"], 8);
    EXPECT_EQ(set.schema().front()["multiple"], nullptr);
    set.set("transfer", 24);
    EXPECT_EQ(transfer.value, 24U);
    auto const said = testing::refusal_of(ExitCode::usage, [&] { set.set("transfer", 47); });
    EXPECT_EQ(said.problem, "transfer = 47 B is not a multiple of 8 B");
    EXPECT_EQ(said.suggestion, "Choose 48 B.");
    EXPECT_EQ(transfer.value, 24U);
}

TEST_F(Options, FillTheirFieldsFromJson) {
    set.set_all({{"block", 4096},
                 {"pause", 1.5},
                 {"check", true},
                 {"colour", "green"},
                 {"way", "there"},
                 {"hint", {"a=1", "b=2"}}});
    EXPECT_EQ(block.value, 4096U);
    EXPECT_DOUBLE_EQ(pause.value, 1.5);
    EXPECT_TRUE(check);
    EXPECT_EQ(colour, Colour::green);
    EXPECT_EQ(way, "there");
    EXPECT_EQ(hints.size(), 2U);
}

TEST_F(Options, FillTheirFieldsFromWords) {
    set.set_words("block", {"4KiB"});
    set.set_words("pause", {"2m"});
    set.set_words("count", {"7"});
    set.set_words("hint", {"a=1", "b=2"});
    set.set_words("check", {"yes"});
    EXPECT_TRUE(check);
    set.set_words("check", {"false"});
    EXPECT_FALSE(check);
    EXPECT_EQ(block.value, 4096U);
    EXPECT_DOUBLE_EQ(pause.value, 120);
    EXPECT_EQ(count, 7U);
    EXPECT_EQ(hints.at(1), "b=2");
}

TEST_F(Options, RefuseUnknownNamesWrongTypesAndBounds) {
    EXPECT_THROW(set.set("blok", 8), Error);
    EXPECT_THROW(set.set("block", "4KiB"), Error);
    EXPECT_THROW(set.set("block", 4), Error);
    EXPECT_THROW(set.set("count", 11), Error);
    EXPECT_THROW(set.set("count", -1), Error);
    EXPECT_THROW(set.set("colour", "blue"), Error);
    EXPECT_THROW(set.set("way", "elsewhere"), Error);
    EXPECT_THROW(set.set("hint", {1, 2}), Error);
    EXPECT_THROW(set.set_words("count", {"seven"}), Error);
    EXPECT_THROW(set.set_words("block", {"4096"}), Error);
    EXPECT_THROW(set.set_words("check", {"perhaps"}), Error);
}

TEST_F(Options, TakeNumbersWithoutAUnit) {
    OptionSet numbers;
    double factor = 0.5;
    numbers.add("factor", factor, "of what", {0.0, 1.0});
    EXPECT_EQ(numbers.schema()[0]["type"], "number");
    EXPECT_TRUE(numbers.schema()[0]["unit"].is_null());
    for (auto const& [word, value] : {std::pair{".25", 0.25}, {"1e-6", 1e-6}, {"1", 1.0}}) {
        numbers.set_words("factor", {word});
        EXPECT_EQ(factor, value);
    }
    numbers.set("factor", 0);
    EXPECT_EQ(factor, 0);
    for (auto const* word : {"", "nan", "inf", "0.5s", "half", "1.5", "-0.1"}) {
        EXPECT_THROW(numbers.set_words("factor", {word}), Error) << word;
    }
    EXPECT_THROW(numbers.set("factor", "0.5"), Error);
}

TEST_F(Options, KnowWhetherTheyWereChanged) {
    EXPECT_TRUE(set.is_default("count"));
    set.set("count", 2);
    EXPECT_FALSE(set.is_default("count"));
}

TEST_F(Options, DescribeThemselves) {
    auto const schema = set.schema();
    ASSERT_EQ(schema.size(), 7U);
    testing::expect_part(schema[0],
                         {{"name", "block"}, {"type", "bytes"}, {"unit", "B"}, {"default", 1024}, {"group", "shape"}});
    EXPECT_EQ(schema[4]["choices"], Json::array({"red", "green"}));
    EXPECT_EQ(set.values()["colour"], "red");
}

enum class Speed { slow, fast };
constexpr std::array<std::string_view, 2> enum_names(Speed) { return {"slow", "fast"}; }
constexpr std::array<std::string_view, 2> enum_words(Speed) { return {"slowly", "quickly"}; }

TEST_F(Options, SayWhatResultsCallTheirValues) {
    auto speed = Speed::slow;
    set.add("speed", speed, "how fast");
    set.words("count", {{"1", "one"}, {"*", "{} of them"}});
    auto const schema = set.schema();
    std::map<std::string, Json> words;
    for (auto const& option : schema) {
        words[option["name"].get<std::string>()] = option.value("words", Json());
    }
    EXPECT_EQ(words.at("speed"), (Json{{"slow", "slowly"}, {"fast", "quickly"}}));
    EXPECT_EQ(words.at("count"), (Json{{"1", "one"}, {"*", "{} of them"}}));
    EXPECT_TRUE(words.at("colour").is_null());
    EXPECT_THROW(set.words("none", {{"*", ""}}), ContractError);
}

TEST_F(Options, OfTheSameNameAreShared) {
    OptionSet other;
    std::uint64_t again = 1;
    std::uint64_t more = 5;
    other.group("other");
    other.add("count", again, "how many");
    other.add("more", more, "how many more");
    set.adopt(other);
    set.set("count", 4);
    set.set("more", 6);
    EXPECT_EQ(count, 4U);
    EXPECT_EQ(again, 4U);
    EXPECT_EQ(more, 6U);
    OptionSet clash;
    bool flag = false;
    clash.add("count", flag, "of another type");
    EXPECT_THROW(set.adopt(clash), ContractError);
}

TEST_F(Options, KeepLargeNumbersApartFromNegativeOnes) {
    set.set("pause", 0);
    OptionSet sizes;
    Bytes size{8};
    sizes.add("size", size, "bytes", {std::uint64_t{8}, {}});
    sizes.set("size", std::uint64_t{18446744073709551608U});
    EXPECT_EQ(size.value, 18446744073709551608U);
}

TEST_F(Options, AreDeclaredOnce) { EXPECT_THROW(set.add("block", count, "again"), ContractError); }

}  // namespace
}  // namespace weir
