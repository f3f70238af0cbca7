#include "apps/cloud/hydrodynamics.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

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
    try {
        hydro.advance(state, 0.03, SweepOrder::xyz);
        FAIL() << "no error";
    } catch (Error const& error) {
        EXPECT_EQ(error.diagnosis().exit_code, ExitCode::cannot_run);
        EXPECT_EQ(error.diagnosis().reason, "cell (7, 0, 0) counted from 0, at time 2.5 in step 42");
    }
}

TEST(Hydrodynamics, CountsWhatTheFloorsRaise) {
    State state(Decomposition({}, {{16, 8, 8}, 1}));
    fill(state, [](double x, double, double) -> std::array<double, 5> {
        return {1, x < 8 ? -50.0 : 50.0, 0, 0, 1e-3};
    });
    Gas gas;
    gas.density_floor = 1e-6;
    gas.pressure_floor = 1e-6;
    Hydrodynamics hydro(state.where(), gas);
    hydro.advance(state, 0.03, SweepOrder::xyz);
    EXPECT_GT(hydro.raised(), 0);
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
