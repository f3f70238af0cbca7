#include "apps/cloud/hydrodynamics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "support/failures/error_of.hpp"

namespace weir::cloud {
namespace {

TEST(Hydrodynamics, NamesTheCellWhoseGasTearsApart) {
    State state(Decomposition({}, {{16, 8, 8}, 1}));
    // Two halves that fly apart much faster than sound leave a vacuum between them, at cells 7 and 8.
    fill(state, [](double x, double, double) -> std::array<double, 5> {
        return {1, x < 8 ? -50.0 : 50.0, 0, 0, 1e-3};
    });
    state.time = 2.5;
    state.step = 41;
    Hydrodynamics hydro(state.where(), Gas{});
    auto const error = testing::error_of([&] { hydro.advance(state, 0.03, SweepOrder::xyz); });
    EXPECT_EQ(error.diagnosis().exit_code, ExitCode::cannot_run);
    EXPECT_EQ(error.diagnosis().reason, "cell (7, 0, 0) counted from 0, at time 2.5 in step 42");
}

/// What floors raise in a vacuum between two halves that fly apart along x.
Raised raised_in(Triple const& cells, double density_floor, double pressure_floor) {
    State state(Decomposition({}, {cells, 1}));
    fill(state, [](double x, double, double) -> std::array<double, 5> {
        return {1, x < 8 ? -50.0 : 50.0, 0, 0, 1e-3};
    });
    Hydrodynamics hydro(state.where(), {.density_floor = density_floor, .pressure_floor = pressure_floor});
    hydro.advance(state, 0.03, SweepOrder::xyz);
    for (auto const v : {Variable::density, Variable::pressure}) {
        auto const floor = v == Variable::density ? density_floor : pressure_floor;
        EXPECT_GE(*std::ranges::min_element(state[v]), floor);
    }
    return hydro.raised();
}

TEST(Hydrodynamics, CountsWhatTheFloorsRaise) {
    // Each of 64 pencils is torn apart in its middle, at cells 7 and 8; and all gas is colder than 0.5.
    EXPECT_GE(raised_in({16, 8, 8}, 1e-6, 1e-6).density, 2 * 64);
    EXPECT_GE(raised_in({16, 8, 8}, 1e-6, 0.5).pressure, 10 * 64);
}

TEST(Hydrodynamics, CountsEachRaisedCellOnceWhereAGroupOfPencilsIsNotFull) {
    auto const full = raised_in({16, 8, 8}, 1e-6, 1e-6);
    auto const rest = raised_in({16, 12, 4}, 1e-6, 1e-6);
    EXPECT_EQ(full.density * 12 * 4, rest.density * 8 * 8);
    EXPECT_EQ(full.pressure * 12 * 4, rest.pressure * 8 * 8);
}

/// Of 125 cells, which fill no whole number of lanes, each in turn has the fastest gas, along each axis.
TEST(Hydrodynamics, TakesItsTimeStepFromTheFastestGasWhereverItIs) {
    constexpr double h = 0.5;
    Gas const gas;
    State state(Decomposition({}, {{5, 5, 5}, h}));
    fill(state, [](double, double, double) -> std::array<double, 5> { return {1, 0, 0, 0, 1}; });
    Hydrodynamics const hydro(state.where(), gas);
    for (auto const velocity : {Variable::velocity_x, Variable::velocity_y, Variable::velocity_z}) {
        for (std::size_t cell = 0; cell < 125; ++cell) {
            state[velocity][cell] = -3;
            EXPECT_DOUBLE_EQ(hydro.time_step(state), gas.cfl * h / (3 + std::sqrt(gas.gamma))) << cell;
            state[velocity][cell] = 0;
        }
    }
}

TEST(Hydrodynamics, LeavesGasThatMovesAsAWholeAlone) {
    State state(Decomposition({}, {{8, 12, 16}, 1}));
    fill(state, [](double, double, double) -> std::array<double, 5> { return {2, 0.5, -0.25, 0.125, 4}; });
    Hydrodynamics hydro(state.where(), Gas{});
    hydro.advance(state, hydro.time_step(state), SweepOrder::zyx);
    std::array<double, 5> const expected{2, 0.5, -0.25, 0.125, 4};
    for (std::size_t v = 0; v < 5; ++v) {
        for (auto const value : state[static_cast<Variable>(v)]) {
            EXPECT_NEAR(value, expected[v], 1e-14);
        }
    }
}

}  // namespace
}  // namespace weir::cloud
