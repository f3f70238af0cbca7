#include "apps/flash/gas/sod.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "apps/flash/gas/simulation.hpp"

namespace weir::flash {
namespace {

constexpr double end = 0.2;

/// The density of the exact solution at that time, gamma 1.4: Toro, Riemann solvers, 2009, test 1 of chapter 4 with
/// Sod's states.
double exact_density(double x) {
    constexpr double sound = 1.183215956619923;  // of the left state
    auto const speed = (x - 0.5) / end;
    if (speed < -sound) {
        return 1;
    }
    if (speed < -0.0702728) {
        return std::pow(2 / 2.4 - 0.4 / (2.4 * sound) * speed, 5);
    }
    return speed < 0.9274526 ? 0.4263194 : speed < 1.7521557 ? 0.2655737 : 0.125;
}

double mean_error(int levels) {
    SimulationSettings settings;
    settings.problem = BlastKind::sod;
    settings.roots = {4, 1, 1};
    settings.levels = levels;
    auto run = BlockSimulation::start({}, settings);
    EXPECT_EQ(run.tree().levels(), levels) << "it is refined where the states meet";
    while (run.time() < end) {
        run.advance(end);
    }
    EXPECT_EQ(run.radius(), 0) << "there is no blast";
    double sum = 0;
    double volume = 0;
    auto const& blocks = run.blocks();
    for (auto const b : blocks.leaves()) {
        auto const cells = blocks.cells(b);
        auto const cell_volume = std::pow(blocks.spacing(b), 3);
        for_cells(blocks.interior(), [&](Triple const& cell) {
            sum += cell_volume * std::abs(cells.state(cell)[density] - exact_density(blocks.centre(b, cell)[0]));
            volume += cell_volume;
        });
    }
    return sum / volume;
}

TEST(Sod, IsTheExactSolution) {
    auto const coarse = mean_error(2);  // 64 cells along the tube where it is fine
    auto const fine = mean_error(3);
    RecordProperty("mean_error", std::to_string(fine));
    EXPECT_LT(coarse, 1.2e-2);
    EXPECT_LT(fine, 0.65 * coarse);
}

}  // namespace
}  // namespace weir::flash
