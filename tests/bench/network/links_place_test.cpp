#include "bench/network/links_place.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/json.hpp"
#include "support/temporary_directory.hpp"

namespace weir {
namespace {

void put(std::filesystem::path const& file, std::string const& text) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text << "\n";
}

/// Two packages of two cores of two hardware threads; a package shares its last cache.
class LinkPlaceTest : public ::testing::Test {
  protected:
    LinkPlaceTest() {
        for (int cpu = 0; cpu < 8; ++cpu) {
            auto const core = cpu % 4;
            auto const root = directory_.path() / "sys/devices/system/cpu" / ("cpu" + std::to_string(cpu));
            put(root / "topology/thread_siblings_list", std::to_string(core) + "," + std::to_string(core + 4));
            put(root / "topology/physical_package_id", std::to_string(core / 2));
            put(root / "cache/index0/level", "1");
            put(root / "cache/index0/shared_cpu_list", std::to_string(cpu));
            put(root / "cache/index1/level", "3");
            put(root / "cache/index1/shared_cpu_list", core < 2 ? "0-1,4-5" : "2-3,6-7");
        }
    }
    [[nodiscard]] Json place(std::string const& cpus) const {
        return to_json(link_place(cpus, directory_.path().string()));
    }

    testing::TemporaryDirectory directory_;
};

TEST_F(LinkPlaceTest, IsWhatAllCpusHaveInCommon) {
    EXPECT_EQ(place("1"), Json({{"core", "1,5"}, {"cache", "0-1,4-5"}, {"package", "0"}}));
    EXPECT_EQ(place("1,5"), Json({{"core", "1,5"}, {"cache", "0-1,4-5"}, {"package", "0"}}));
    EXPECT_EQ(place("2-3"), Json({{"core", nullptr}, {"cache", "2-3,6-7"}, {"package", "1"}}));
    EXPECT_EQ(place("0-7"), Json({{"core", nullptr}, {"cache", nullptr}, {"package", nullptr}}));
}

TEST_F(LinkPlaceTest, IsUnknownWithoutCpusOrWhatTheKernelSays) {
    Json const unknown{{"core", nullptr}, {"cache", nullptr}, {"package", nullptr}};
    EXPECT_EQ(place(""), unknown);
    EXPECT_EQ(place("x-3"), unknown);
    EXPECT_EQ(place("77"), unknown);
}

}  // namespace
}  // namespace weir
