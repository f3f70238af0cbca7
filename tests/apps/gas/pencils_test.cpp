#include "apps/common/gas/pencils.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace weir::gas {
namespace {

constexpr double per_pressure = 2;  // 1 / (gamma - 1)
constexpr Gas gas{.gamma = 1.5, .density_floor = 1, .pressure_floor = 0.25};

struct Floors : ::testing::Test {
    Floors() {
        for (std::size_t v = 0; v < 5; ++v) {
            std::fill_n(p.mean[v], 4 * lanes, v == 0 ? 2.0 : 1.0);
        }
    }
    void set(Index q, double density, double pressure) {
        p.mean[0][q] = density;
        p.mean[4][q] = pressure;
    }
    [[nodiscard]] double energy(Index q) const {
        auto const& [rho, u, v, w, pressure] = p.mean;
        return per_pressure * pressure[q] + 0.5 * rho[q] * (u[q] * u[q] + v[q] * v[q] + w[q] * w[q]);
    }
    Pencils p{4};
};

TEST_F(Floors, LeaveWhatIsAboveThemAlone) {
    raise_to_floors(p, gas);
    EXPECT_EQ(p.raised, Raised{});
    EXPECT_TRUE(p.sound);
    EXPECT_EQ(p.mean[0][5], 2);
    EXPECT_EQ(p.mean[1][5], 1);
}

TEST_F(Floors, RaiseADensityAndKeepMomentumAndEnergy) {
    for (auto const density : {0.5, -0.5}) {
        set(9, density, 1);
        p.mean[1][9] = 4;
        auto const before = energy(9);
        raise_to_floors(p, {.gamma = gas.gamma, .density_floor = 1});
        EXPECT_EQ(p.mean[0][9], 1);
        EXPECT_DOUBLE_EQ(p.mean[1][9], 4 * density);
        EXPECT_DOUBLE_EQ(energy(9), before);
    }
    EXPECT_EQ(p.raised.density, 2);
}

TEST_F(Floors, RaiseAPressureOnly) {
    set(9, 2, -3);
    raise_to_floors(p, gas);
    EXPECT_EQ(p.mean[4][9], 0.25);
    EXPECT_EQ(p.raised, (Raised{0, 1}));
    EXPECT_TRUE(p.sound);
}

TEST_F(Floors, CountPencilsAndNoLanesBehindThem) {
    p.used = 3;
    for (Index lane = 0; lane < lanes; ++lane) {
        set(2 * lanes + lane, 2, 0.125);
    }
    raise_to_floors(p, gas);
    EXPECT_EQ(p.raised.pressure, 3);
}

TEST_F(Floors, HideNoGasThatIsNone) {
    p.mean[4][7] = std::numeric_limits<double>::quiet_NaN();
    raise_to_floors(p, gas);
    EXPECT_FALSE(p.sound);
    p.mean[4][7] = 1;
    p.mean[0][8] = -1;
    raise_to_floors(p, {.gamma = gas.gamma, .pressure_floor = 0.25});
    EXPECT_FALSE(p.sound);
}

}  // namespace
}  // namespace weir::gas
