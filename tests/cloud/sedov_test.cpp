// A point explosion against Sedov's similarity solution.

#include "apps/cloud/sedov.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "apps/cloud/simulation.hpp"
#include "apps/cloud/totals.hpp"
#include "cloud/radial.hpp"

namespace weir::cloud {
namespace {

constexpr double gamma_air = 1.4;
constexpr Index cells = 48;

/// Where the mean density over directions falls, outside its peak, to halfway between the peak and the surroundings.
double outer_half_height(State const& state) {
    auto const h = state.where().grid().spacing;
    std::vector<double> sums(static_cast<std::size_t>(cells));
    std::vector<double> counts(sums.size());
    for_distances(state, 1, [&](double r, std::size_t cell) {
        auto const bin = static_cast<std::size_t>(r / h);
        sums[bin] += state[Variable::density][cell];
        ++counts[bin];
    });
    std::vector<double> profile;
    for (std::size_t i = 0; i < static_cast<std::size_t>(cells) / 2; ++i) {
        profile.push_back(sums[i] / counts[i]);
    }
    auto const peak = std::max_element(profile.begin(), profile.end());
    auto const half = 0.5 * (1 + *peak);
    auto const outside = std::find_if(peak, profile.end(), [&](double rho) { return rho < half; });
    auto const bins =
        static_cast<double>(outside - profile.begin()) + 0.5 - (half - *outside) / (outside[-1] - *outside);
    return bins * h;
}

TEST(SedovBlast, HasItsRadiusAndItsShell) {
    State initial(Decomposition({}, {{cells, cells, cells}, 1.0 / cells}));
    fill_sedov_blast(initial, gamma_air);
    auto const before = totals_of(initial, gamma_air);
    EXPECT_NEAR(before.gas_energy, 1, 1e-4);  // the blast's, and a little that the surroundings hold
    Physics physics;
    physics.gas.gamma = gamma_air;
    physics.gas.cfl = 0.6;
    Simulation run(std::move(initial), physics);
    while (run.state().time < 0.05) {
        run.step(0.05);
    }
    auto const radius = outer_half_height(run.state());
    auto const density = run.state()[Variable::density];
    auto const peak = *std::max_element(density.begin(), density.end());
    auto const after = totals_of(run.state(), gamma_air);
    RecordProperty("radius_error_cells", std::to_string((radius - 0.3116) * cells));
    RecordProperty("peak", std::to_string(peak));
    RecordProperty("steps", std::to_string(run.state().step));
    EXPECT_NEAR(radius, 0.3116, 1.5 / cells);
    EXPECT_GT(peak, 2.5);
    EXPECT_NEAR(after.gas_energy, before.gas_energy, 1e-10 * before.gas_energy);
    EXPECT_NEAR(after.mass, before.mass, 1e-12 * before.mass);
    for (auto const momentum : after.momentum) {
        EXPECT_NEAR(momentum, 0, 1e-12);
    }
}

}  // namespace
}  // namespace weir::cloud
