#include "array/planner/machine_profile.hpp"

#include <gtest/gtest.h>

#include "comm/collective_error_c.hpp"

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
    try {
        read_profile(text, "here.json", profile);
    } catch (Failure const& failure) {
        EXPECT_EQ(failure.code(), WEIR_BAD_ARGUMENT);
        return failure.what();
    }
    return "not refused";
}

TEST(ReadProfile, RefusesWhatIsNone) {
    EXPECT_EQ(refused("write = 3"),
              "here.json cannot be used: it is no machine profile (it is no JSON) docs/reference/machine-profile.md "
              "shows one.");
    EXPECT_NE(refused("[]").find("no object with the keys weir_profile and array"), std::string::npos);
    EXPECT_NE(refused(R"({"weir_profile": 2, "array": {}})").find("it is of version 2"), std::string::npos);
    EXPECT_NE(refused(R"({"weir_profile": 1, "array": {"write": {"speed": 1}}})").find("unknown key 'speed'"),
              std::string::npos);
    EXPECT_NE(refused(R"({"weir_profile": 1, "array": {"message_s": 0}})").find("array.message_s is 0"),
              std::string::npos);
    EXPECT_NE(refused(R"({"weir_profile": 1, "array": {"message_s": "1"}})").find("array.message_s is not"),
              std::string::npos);
    EXPECT_NE(refused(R"({"weir_profile": 1, "array": 3})").find("array is not a JSON object"), std::string::npos);
}

}  // namespace
}  // namespace weir::array
