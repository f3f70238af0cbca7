#include <gtest/gtest.h>

#include <fstream>

#include "bench/compute/linear/energy_meter.hpp"
#include "support/temporary_directory.hpp"

namespace weir {
namespace {

class PackageEnergies : public ::testing::Test {
  protected:
    void write(std::string const& domain, std::string const& name, std::uint64_t energy_uj) {
        auto const folder = folder_.path() / "sys/class/powercap" / domain;
        std::filesystem::create_directories(folder);
        std::ofstream(folder / "name") << name << "\n";
        std::ofstream(folder / "energy_uj") << energy_uj << "\n";
        std::ofstream(folder / "max_energy_range_uj") << 1'000'000'000 << "\n";
    }
    [[nodiscard]] std::string root() const { return folder_.path().string(); }

  private:
    testing::TemporaryDirectory folder_;
};

TEST_F(PackageEnergies, AreAddedUpAndBeginAnew) {
    write("intel-rapl:0", "package-0", 999'000'000);
    write("intel-rapl:1", "package-1", 5);
    write("intel-rapl:0:0", "core", 100);
    PackageEnergy energy(root());
    write("intel-rapl:0", "package-0", 1'500'000);
    write("intel-rapl:1", "package-1", 3'000'005);
    write("intel-rapl:0:0", "core", 900'000'000);
    EXPECT_NEAR(energy.since_last_j().value_or(-1), 2.5 + 3, 1e-9);
    EXPECT_NEAR(energy.since_last_j().value_or(-1), 0, 1e-9);
}

TEST_F(PackageEnergies, AreUnknownWhereOneIsNotTold) {
    EXPECT_EQ(PackageEnergy(root()).since_last_j(), std::nullopt);
    write("intel-rapl:0", "package-0", 1);
    PackageEnergy energy(root());
    std::filesystem::remove(root() + "/sys/class/powercap/intel-rapl:0/energy_uj");
    EXPECT_EQ(energy.since_last_j(), std::nullopt);
    write("intel-rapl:0", "package-0", 7);
    EXPECT_EQ(energy.since_last_j(), std::nullopt);
    EXPECT_EQ(energy.since_last_j(), 0.0);
}

TEST_F(PackageEnergies, AreOfTheWorkBetweenStartAndEnd) {
    write("intel-rapl:0", "package-0", 50'000'000);
    EnergyMeter meter(Communicator(), root());
    for (auto const work_j : {3, 4}) {
        write("intel-rapl:0", "package-0", 60'000'000);
        meter.start();
        write("intel-rapl:0", "package-0", 60'000'000 + static_cast<std::uint64_t>(work_j) * 1'000'000);
        EXPECT_NEAR(meter.used_j().value_or(-1), work_j, 1e-9);
    }
    EXPECT_THROW(static_cast<void>(meter.used_j()), std::exception) << "no start";
}

TEST(WorkEnergies, GiveWorkForAJoule) {
    EXPECT_TRUE(metrics_of({}).empty());
    auto const metrics = metrics_of({4.0, 8e9, "flop"});
    ASSERT_EQ(metrics.size(), 2U);
    EXPECT_EQ(metrics[1].key, "flop_per_joule");
    EXPECT_EQ(metrics[1].value, 2e9);
    EXPECT_EQ(metrics_of({4.0, 8e9, "B"})[1].key, "bytes_per_joule");
}

}  // namespace
}  // namespace weir
