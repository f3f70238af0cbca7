#include "array/planner/machine_profile.hpp"

#include <gtest/gtest.h>

#include "support/has.hpp"
#include "support/refusal.hpp"

namespace weir::array {
namespace {

TEST(UsualProfile, KnowsWhatIsFasterThanWhat) {
    auto const of = [](std::uint64_t type, std::uint64_t nodes) { return usual_profile(file_system_of(type), nodes); };
    auto const ext4 = of(0xEF53, 1);
    auto const nfs = of(0x6969, 4);
    auto const lustre = of(0x0BD00BD0, 4);
    EXPECT_LT(ext4.write.request_s, lustre.write.request_s);
    EXPECT_LT(nfs.write.all_bytes_per_s, lustre.write.all_bytes_per_s);
    EXPECT_LT(lustre.read.all_bytes_per_s, of(0x0BD00BD0, 8).read.all_bytes_per_s) << "more nodes, more speed";
    EXPECT_EQ(of(0, 1).write.request_s, ext4.write.request_s) << "one node: a disk of its own, for all we know";
    EXPECT_EQ(of(0, 2).write.request_s, lustre.write.request_s);
    EXPECT_EQ(ext4.source, "usual numbers");
}

TEST(ReadProfile, TakesWhatIsThereAndLeavesTheRest) {
    auto profile = usual_profile({}, 1);
    auto const usual = profile;
    read_profile(R"({"weir_profile": 1, "host": "anything", "array": {"write": {"request_s": 1e-3}, "message_s": 2}})",
                 "here.json", profile);
    EXPECT_EQ(profile.write.request_s, 1e-3);
    EXPECT_EQ(profile.message_s, 2);
    EXPECT_EQ(profile.write.one_bytes_per_s, usual.write.one_bytes_per_s);
    EXPECT_EQ(profile.read.request_s, usual.read.request_s);
    EXPECT_EQ(profile.source, "here.json");
}

std::string refused(std::string const& text) {
    auto profile = usual_profile({}, 1);
    return testing::refusal([&] { read_profile(text, "here.json", profile); });
}

TEST(ReadProfile, RefusesWhatIsNone) {
    EXPECT_EQ(refused("write = 3"),
              "here.json cannot be used: it is no machine profile (it is no JSON) docs/reference/machine-profile.md "
              "shows one.");
    EXPECT_TRUE(testing::has(refused("[]"), "no object with the keys weir_profile and array"));
    EXPECT_TRUE(testing::has(refused(R"({"weir_profile": 2, "array": {}})"), "it is of version 2"));
    EXPECT_TRUE(
        testing::has(refused(R"({"weir_profile": 1, "array": {"write": {"speed": 1}}})"), "unknown key 'speed'"));
    EXPECT_TRUE(testing::has(refused(R"({"weir_profile": 1, "array": {"message_s": 0}})"), "array.message_s is 0"));
    EXPECT_TRUE(testing::has(refused(R"({"weir_profile": 1, "array": {"message_s": "1"}})"), "array.message_s is not"));
    EXPECT_TRUE(testing::has(refused(R"({"weir_profile": 1, "array": 3})"), "array is not a JSON object"));
}

}  // namespace
}  // namespace weir::array
