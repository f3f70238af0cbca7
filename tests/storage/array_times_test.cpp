#include "storage/array_times.hpp"

#include <gtest/gtest.h>

#include "core/json.hpp"

namespace weir {
namespace {

/// A file "f" with arrays of these names, each written twice in 3 s, of them 2 s in one request.
DumpCosts costs_of(std::vector<std::string> const& names) {
    DumpCosts costs{100};
    auto& file = costs.files.emplace_back();
    file.name = "f";
    file.open_s = 5;
    file.sync_s = 6;
    file.close_s = 7;
    for (auto const& name : names) {
        auto& array = file.arrays.emplace_back(ArrayTimes{name});
        array.bytes = 8;
        array.create = {1, 0.5};
        array.pack = {1, 0.25};
        array.write = {2, 3};
        array.request = {1, 2};
    }
    return costs;
}

TEST(ArrayTimes, AreTheLibrarysWithoutItsRequests) {
    auto const json = to_json(costs_of({"a", "b"}), true);
    EXPECT_EQ(json, Json::parse(R"({"ranks_s": 100.0, "other_s": 74.5, "files": [{"file": "f", "open_s": 5.0,
        "sync_s": 6.0, "close_s": 7.0, "arrays": {"name": ["a", "b"], "bytes": [8, 8], "creates": [1, 1], "create_s": [0.5, 0.5],
        "attributes": [0, 0], "attribute_s": [0.0, 0.0], "packs": [1, 1], "pack_s": [0.25, 0.25], "writes": [2, 2],
        "library_s": [1.0, 1.0], "requests": [1, 1], "request_s": [2.0, 2.0]}}]})"));
}

TEST(ArrayTimes, AreAllOfTheRequestsWithoutALibrary) {
    auto const json = to_json(costs_of({"a"}), false);
    auto const& arrays = json["files"][0]["arrays"];
    EXPECT_TRUE(arrays["writes"].is_null());
    EXPECT_TRUE(arrays["library_s"].is_null());
    EXPECT_EQ(arrays["requests"], Json::parse("[2]"));
    EXPECT_EQ(arrays["request_s"], Json::parse("[3.0]"));
}

TEST(ArrayTimes, AreNothingWithoutFiles) {
    EXPECT_TRUE(to_json({}, true).is_null());
    EXPECT_TRUE(to_json({3, {FileTimes{}}}, true).is_null()) << "it was not opened";
}

TEST(ArrayTimes, AddUpByTheNamesOfArrays) {
    auto sum = costs_of({"a", "b"});
    sum.add(costs_of({"b", "c"}));
    EXPECT_DOUBLE_EQ(sum.elapsed_s, 200);
    auto const json = to_json(sum, true)["files"][0];
    EXPECT_EQ(json["open_s"], 10.0);
    EXPECT_EQ(json["sync_s"], 12.0);
    EXPECT_EQ(json["close_s"], 14.0);
    EXPECT_EQ(json["arrays"]["name"], Json::parse(R"(["a", "b", "c"])"));
    EXPECT_EQ(json["arrays"]["bytes"], Json::parse("[8, 16, 8]"));
    EXPECT_EQ(json["arrays"]["creates"], Json::parse("[1, 2, 1]"));
    EXPECT_EQ(json["arrays"]["request_s"], Json::parse("[2.0, 4.0, 2.0]"));
}

TEST(ArrayTimes, AddUpFileByFile) {
    auto costs = costs_of({"a"});
    costs.files.push_back(costs_of({"b"}).files[0]);
    auto sum = costs;
    sum.add(costs);
    auto const json = to_json(sum, true)["files"];
    ASSERT_EQ(json.size(), 2U);
    for (auto const& [file, name] : {std::pair{0, "a"}, {1, "b"}}) {
        EXPECT_EQ(json[file]["open_s"], 10.0);
        EXPECT_EQ(json[file]["arrays"]["name"], Json::array({name}));
        EXPECT_EQ(json[file]["arrays"]["bytes"], Json::array({16}));
    }
}

TEST(ArrayTimes, AreTheSameForOneRankAsSummed) {
    auto const costs = costs_of({"a", "b"});
    EXPECT_EQ(to_json(sum_over_ranks(costs, {}), true), to_json(costs, true));
}

TEST(ArrayTimes, NameAttributesByTheirOwners) {
    ManualClock clock;
    FileTimes times;
    Array const array{"a", {}, {2}};
    Array attribute{"unit", {}, {}};
    attribute.attribute_of = "a";
    Array of_file{"version", {}, {}};
    of_file.attribute_of = "";
    times.begin("f", {array, attribute, of_file}, clock);
    EXPECT_EQ(times.arrays[1].name, "a/unit");
    EXPECT_EQ(times.arrays[2].name, "version");
}

TEST(ArrayTimes, CountTheWorkThatIsDone) {
    ManualClock clock;
    FileTimes times;
    times.begin("f", {Array{"a", {}, {2}}}, clock);
    auto const work = [&] {
        clock.advance(Seconds{2});
        return 7;
    };
    EXPECT_EQ(FileTimes::spend(&times, 0, &ArrayTimes::create, work), 7);
    EXPECT_EQ(FileTimes::spend(nullptr, 0, &ArrayTimes::create, work), 7);
    EXPECT_EQ(times.arrays[0].create.count, 1U);
    EXPECT_DOUBLE_EQ(times.creating_s(), 2);
}

}  // namespace
}  // namespace weir
