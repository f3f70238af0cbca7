#include "array/planner/machine_profile.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

#include "support/failures/refusal.hpp"
#include "support/has.hpp"

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

/// A path of that distance whose first range starts at so many s, and whose last has so many bytes a second.
std::string path(std::string const& distance, std::string const& start_s, std::string const& bytes_per_s) {
    return R"({"distance": ")" + distance + R"(", "launches": 12, "ranges": [{"from_bytes": 0, "start_s": )" + start_s +
           R"(, "bytes_per_s": 1e8}, {"from_bytes": 4096, "start_s": 1, "bytes_per_s": )" + bytes_per_s + "}]}";
}

MachineProfile with_network(std::string const& paths, std::string const& array = "") {
    auto profile = usual_profile({}, 1);
    read_profile(R"({"weir_profile": 1, "network": {"source": "a run", "paths": [)" + paths + "]}" + array + "}",
                 "here.json", profile);
    return profile;
}

TEST(ReadProfile, TakesMessagesFromTheModelOfTheFarthestRanks) {
    auto const profile = with_network(path("nodes", "3e-6", "2.5e10") + "," + path("cache", "2e-7", "1e10"));
    EXPECT_EQ(profile.message_s, 3e-6);
    EXPECT_EQ(profile.network_bytes_per_s, 2.5e10);
    EXPECT_EQ(profile.copy_bytes_per_s, usual_profile({}, 1).copy_bytes_per_s);
    EXPECT_EQ(with_network(path("cache", "2e-7", "1e10")).message_s, 2e-7) << "a machine of one node";
}

TEST(ReadProfile, LeavesUnknownNumbersOfTheModelAndPrefersStatedOnes) {
    auto const usual = usual_profile({}, 1);
    EXPECT_EQ(with_network(path("nodes", "null", "null")).network_bytes_per_s, usual.network_bytes_per_s);
    EXPECT_EQ(with_network(path("nodes", "-1e-6", "1e10")).message_s, usual.message_s);
    EXPECT_EQ(with_network("").message_s, usual.message_s);
    auto const stated = with_network(path("nodes", "3e-6", "2e10"), R"(, "array": {"message_s": 5})");
    EXPECT_EQ(stated.message_s, 5);
    EXPECT_EQ(stated.network_bytes_per_s, 2e10);
}

TEST(ReadProfile, TakesWhatWeirNetworkModelWrites) {
    std::ifstream file(WEIR_SOURCE_DIR "/tests/golden/network-profile.json");
    auto profile = usual_profile({}, 1);
    read_profile({std::istreambuf_iterator<char>(file), {}}, "network-profile.json", profile);
    EXPECT_NEAR(profile.message_s, 1e-6, 0.05e-6) << "the made-up machine's, of tests/python/messages.py";
    EXPECT_NEAR(profile.network_bytes_per_s, 1 / 1.5e-10, 0.05 / 1.5e-10);
}

std::string refused(std::string const& text) {
    auto profile = usual_profile({}, 1);
    return testing::refusal([&] { read_profile(text, "here.json", profile); });
}

TEST(ReadProfile, RefusesWhatIsNone) {
    EXPECT_EQ(refused("write = 3"),
              "here.json cannot be used: it is no machine profile (it is no JSON). docs/reference/machine-profile.md "
              "shows one.");
    EXPECT_TRUE(testing::has(refused("[]"), "no object with the keys weir_profile and array or network"));
    EXPECT_TRUE(testing::has(refused(R"({"weir_profile": 2, "array": {}})"), "it is of version 2"));
    EXPECT_TRUE(
        testing::has(refused(R"({"weir_profile": 1, "array": {"write": {"speed": 1}}})"), "unknown key 'speed'"));
    EXPECT_TRUE(testing::has(refused(R"({"weir_profile": 1, "array": {"message_s": 0}})"), "array.message_s is 0"));
    EXPECT_TRUE(testing::has(refused(R"({"weir_profile": 1, "array": {"message_s": "1"}})"), "array.message_s is not"));
    EXPECT_TRUE(testing::has(refused(R"({"weir_profile": 1, "array": 3})"), "array is not a JSON object"));
    EXPECT_TRUE(testing::has(refused(R"({"weir_profile": 1, "network": 3})"), "network is not a JSON object"));
    auto const network = [](std::string const& paths) {
        return refused(R"({"weir_profile": 1, "network": {"paths": )" + paths + "}}");
    };
    EXPECT_TRUE(testing::has(network("4"), "network.paths is not an array"));
    for (auto const* const wrong :
         {"[4]", "[{}]", R"([{"distance": "far", "ranges": [{}]}])", R"([{"distance": "node", "ranges": []}])"}) {
        EXPECT_TRUE(testing::has(network(wrong), "it has a distance (core, cache, package, node or nodes)")) << wrong;
    }
    EXPECT_TRUE(testing::has(network("[" + path("node", R"("1 us")", "1") + "]"), "start_s is not a number"));
}

class StripedFile {
  public:
    explicit StripedFile(std::size_t bytes) : bytes_(bytes) {}
    template <class Number>
    StripedFile& put(std::size_t offset, Number number) {
        std::memcpy(bytes_.data() + offset, &number, sizeof number);
        return *this;
    }
    /// A layout of one component, from this byte on.
    StripedFile& component(std::size_t at, std::uint32_t magic, std::uint32_t stripe_bytes, std::uint16_t stripes) {
        return put(at, magic).put(at + 24, stripe_bytes).put(at + 28, stripes);
    }
    [[nodiscard]] FileSystem read(std::size_t bytes = ~std::size_t{0}) const {
        FileSystem system;
        system.stripe_bytes = 4096;
        read_lustre_layout(std::span(bytes_).first(std::min(bytes, bytes_.size())), system);
        return system;
    }

  private:
    std::vector<std::byte> bytes_;
};

constexpr std::uint32_t version_1 = 0x0BD10BD0;
constexpr std::uint32_t version_3 = 0x0BD30BD0;
constexpr std::uint32_t composite = 0x0BD60BD0;

TEST(FileSystem, IsKnownByItsNumber) {
    EXPECT_EQ(file_system_of(0xEF53).name(), "ext4");
    EXPECT_FALSE(file_system_of(0xEF53).remote());
    EXPECT_EQ(file_system_of(0x0BD00BD0).name(), "lustre");
    EXPECT_TRUE(file_system_of(0x0BD00BD0).remote());
    EXPECT_EQ(file_system_of(0x12345678).name(), "0x12345678");
    EXPECT_EQ(file_system_of(0x12345678).storage, Storage::unknown);
    EXPECT_EQ(FileSystem{}.name(), "");
}

TEST(LookAt, SeesADirectorysFileSystemOrWhyNot) {
    EXPECT_NE(look_at("/").name(), "");
    EXPECT_EQ(look_at("/").error_number, 0);
    EXPECT_EQ(look_at("/no/such/directory").error_number, ENOENT);
    EXPECT_EQ(look_at("/no/such/directory").name(), "");
}

TEST(LustreLayout, SaysSizeAndNumberOfStripes) {
    for (auto const magic : {version_1, version_3}) {
        auto const system = StripedFile(48).component(0, magic, 1 << 20, 8).read();
        EXPECT_EQ(system.stripe_bytes, 1U << 20U);
        EXPECT_EQ(system.stripes, 8U);
    }
    EXPECT_EQ(StripedFile(48).component(0, version_1, 1 << 20, 0xffff).read().stripes, 0U) << "all servers";
}

TEST(LustreLayout, SaysThoseOfTheLastComponent) {
    StripedFile layout(32 + 2 * 48 + 2 * 32);
    layout.put(0, composite).put(14, std::uint16_t{2});
    layout.put(32 + 24, std::uint32_t{128}).component(128, version_1, 1 << 16, 1);
    layout.put(80 + 24, std::uint32_t{160}).component(160, version_3, 4 << 20, 64);
    EXPECT_EQ(layout.read().stripe_bytes, 4U << 20U);
    EXPECT_EQ(layout.read().stripes, 64U);
}

TEST(LustreLayout, IsLeftAloneWhereItIsNoneOrCut) {
    StripedFile none(64);
    EXPECT_EQ(none.read().stripe_bytes, 4096U);
    EXPECT_EQ(none.read(0).stripe_bytes, 4096U);
    none.put(0, composite).put(14, std::uint16_t{0xffff});
    EXPECT_EQ(none.read().stripe_bytes, 4096U);
    none.put(14, std::uint16_t{1}).put(32 + 24, ~std::uint32_t{0});
    EXPECT_EQ(none.read().stripe_bytes, 4096U);
}

}  // namespace
}  // namespace weir::array
