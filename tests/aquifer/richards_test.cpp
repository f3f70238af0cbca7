#include "apps/aquifer/flow/richards.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "aquifer/column.hpp"

namespace weir::aquifer {
namespace {

constexpr Soil saturated{.porosity = 0.3, .specific_storage = 1};  // as long as heads are not negative
constexpr Soil gardner{.retention = Retention::exponential, .alpha = 2};
constexpr Soil loam{.residual = 0.08, .porosity = 0.43, .alpha = 3.6, .n = 1.56, .specific_storage = 1e-4};

using Kind = BoxSide::Condition;

Flow flow_with(Soil const& soil, std::size_t axis, BoxSide low, BoxSide high) {
    Flow flow{.soils = {soil}};
    flow.sides[2 * axis] = low;
    flow.sides[2 * axis + 1] = high;
    return flow;
}

/// Steps that grow tenfold, up to practically no storage.
void settle(Richards& richards) {
    for (double dt = 1e-3; dt < 1e12; dt *= 10) {
        ASSERT_TRUE(richards.step(dt).converged) << dt;
    }
}

TEST(Richards, WaterAtRestIsHydrostatic) {
    for (auto const mean : {FaceMean::arithmetic, FaceMean::upstream}) {
        Mesh const mesh({}, column(2, 40, 4));
        auto flow = flow_with(loam, 2, {Kind::head, 1.5}, {});
        flow.mean = mean;
        Richards richards(mesh, flow, uniform(mesh, 1e-2), std::vector(40, -1.0));
        settle(richards);
        auto const expected = values(centres(mesh, 2), [](double z) { return 1.5 - z; });
        EXPECT_LT(largest_difference(richards.heads(), expected), 1e-9);
    }
}

TEST(Richards, LayersConductByTheHarmonicMean) {
    Mesh const mesh({}, column(0, 30, 3));
    Richards richards(mesh, flow_with(saturated, 0, {Kind::pressure, 5}, {Kind::pressure, 2}),
                      {[] {
                           std::vector<double> k(30, 1e-5);
                           std::fill(k.begin() + 10, k.begin() + 17, 3e-7);
                           return k;
                       }(),
                       std::vector<std::size_t>(30, 0)},
                      std::vector(30, 3.0));
    settle(richards);
    auto const exact = 3 / (2.3 / 1e-5 + 0.7 / 3e-7);
    for (auto const flow : richards.flow(0)) {
        EXPECT_NEAR(flow / exact, 1, 1e-12);
    }
}

/// psi = erfc(x / (2 sqrt(D t))), D = K / S_s, in a half-space whose side is at 1 from time 0 on.
double error_of_diffusion(Index n) {
    constexpr double end = 1;
    Mesh const mesh({}, column(0, n, 1));
    Richards richards(mesh, flow_with(saturated, 0, {Kind::pressure, 1}, {}), uniform(mesh, 1e-2),
                      std::vector<double>(static_cast<std::size_t>(n)));
    auto const steps = n;
    for (Index step = 0; step < steps; ++step) {
        EXPECT_TRUE(richards.step(end / static_cast<double>(steps)).converged);
    }
    auto const exact = values(centres(mesh, 0), [](double x) { return std::erfc(x / (2 * std::sqrt(1e-2 * end))); });
    return largest_difference(richards.heads(), exact);
}

TEST(Richards, SaturatedFlowDiffuses) {
    auto const coarse = error_of_diffusion(50);
    EXPECT_LT(coarse, 5e-3);
    EXPECT_LT(error_of_diffusion(100), 0.6 * coarse) << "first order in time at least";
}

/// Theis (1935): drawdown Q / (4 pi T) E1(r^2 S / (4 T t)) around a well, here at the corner of a quarter of the plane.
double error_of_theis(Index n, double growth) {
    constexpr double transmissivity = 1e-2, storage = 1e-3, pumped = 1e-2, end = 2000, length = 800, rest = 100;
    auto const edge = length / static_cast<double>(n);
    Mesh const mesh({}, {{n, n, 1}, {edge, edge, 1}});
    Flow flow{.soils = {{.porosity = 0.3, .specific_storage = storage}}, .wells = {{{0, 0, 0}, -pumped / 4}}};
    Richards richards(mesh, flow, uniform(mesh, transmissivity), std::vector(mesh.block().count(), rest));
    double time = 0;
    for (double dt = 1; time < end; dt *= growth) {
        auto const step = std::min(dt, end - time);
        EXPECT_TRUE(richards.step(step).converged);
        time += step;
    }
    auto const x = centres(mesh, 0);
    auto const y = centres(mesh, 1);
    auto const heads = richards.heads();
    double largest = 0;
    for (std::size_t i = 0; i < heads.size(); ++i) {
        auto const r = std::hypot(x[i], y[i]);
        if (r > 4 * edge && r < 200) {
            auto const u = r * r * storage / (4 * transmissivity * end);
            auto const drawdown = pumped / (4 * std::numbers::pi * transmissivity) * -std::expint(-u);
            largest = std::max(largest, std::abs((rest - heads[i]) / drawdown - 1));
        }
    }
    return largest;
}

TEST(Richards, AWellDrawsDownAsTheisSays) {
    EXPECT_LT(error_of_theis(64, 1.3), 0.05);
    EXPECT_LT(error_of_theis(128, 1.15), 0.025);
}

/// Steady infiltration to a water table (Gardner 1958).
double error_of_gardner(Index n, FaceMean mean) {
    constexpr double q = 0.3, alpha = 2;
    Mesh const mesh({}, column(2, n, 2));
    auto flow = flow_with(gardner, 2, {Kind::pressure, 0}, {Kind::inflow, q});
    flow.mean = mean;
    Richards richards(mesh, flow, uniform(mesh, 1), std::vector(static_cast<std::size_t>(n), -0.5));
    settle(richards);
    auto const exact =
        values(centres(mesh, 2), [](double z) { return std::log(q + (1 - q) * std::exp(-alpha * z)) / alpha; });
    return largest_difference(richards.heads(), exact);
}

TEST(Richards, InfiltrationIsGardners) {
    auto const arithmetic = error_of_gardner(32, FaceMean::arithmetic);
    EXPECT_LT(arithmetic, 3e-4);
    EXPECT_NEAR(error_of_gardner(64, FaceMean::arithmetic) / arithmetic, 0.25, 0.03) << "second order";
    auto const upstream = error_of_gardner(32, FaceMean::upstream);
    EXPECT_LT(upstream, 9e-3);
    EXPECT_NEAR(error_of_gardner(64, FaceMean::upstream) / upstream, 0.5, 0.05) << "first order";
}

/// Rain on ground of random conductivity, with a well and a water table.
struct Rain : ::testing::Test {
    Mesh mesh{{}, {{7, 5, 11}, {2, 3, 0.5}}};
    Flow flow{.soils = {loam, gardner}, .wells = {{{3, 2, 1}, -1e-5}}};
    Ground ground = uniform(mesh, 1e-5);
    std::vector<double> heads;

    Rain() {
        flow.sides[0] = {Kind::head, 2};
        flow.sides[5] = {Kind::inflow, 1e-6};
        std::mt19937 random(1);
        std::normal_distribution<double> normal;
        for (auto& k : ground.conductivity) {
            k *= std::exp(normal(random));
        }
        for (std::size_t i = 0; i < ground.soil.size(); i += 3) {
            ground.soil[i] = 1;
        }
        heads = values(centres(mesh, 2), [](double z) { return 1.5 - z; });
    }
};

TEST_F(Rain, ConservesWater) {
    Richards richards(mesh, flow, ground, heads);
    for (int step = 0; step < 12; ++step) {
        ASSERT_TRUE(richards.step(3600).converged);
        EXPECT_LT(richards.balance().error(), 1e-10);
        EXPECT_GT(richards.balance().moved, 0);
    }
}

TEST_F(Rain, ItsJacobianIsThatOfDifferences) {
    for (auto const mean : {FaceMean::arithmetic, FaceMean::upstream}) {
        flow.mean = mean;
        Richards richards(mesh, flow, ground, heads);
        std::mt19937 random(2);
        std::uniform_real_distribution<double> some(-2, 1);
        std::vector<double> at(heads.size());
        std::ranges::generate(at, [&] { return some(random); });
        auto const exact = richards.jacobian(at, 600);
        auto const rows = static_cast<PetscInt>(at.size());
        for (std::size_t cell = 0; cell < at.size(); cell += 37) {
            constexpr double h = 1e-6;
            auto const shifted = [&](double by) {
                auto moved = at;
                moved[cell] += by;
                return richards.residual(moved, 600);
            };
            auto const more = shifted(h);
            auto const less = shifted(-h);
            for (PetscInt row = 0; row < rows; ++row) {
                auto const column = static_cast<PetscInt>(cell);
                double entry = 0;
                MatGetValues(exact.get(), 1, &row, 1, &column, &entry);
                auto const i = static_cast<std::size_t>(row);
                auto const difference = (ReadValues(more.get())[i] - ReadValues(less.get())[i]) / (2 * h);
                EXPECT_NEAR(entry, difference, 1e-6 * std::abs(difference) + 1e-10) << row << ' ' << column;
            }
        }
    }
}

TEST_F(Rain, AStepThatDoesNotConvergeChangesNothing) {
    flow.wells = {{{3, 2, 10}, -1}};  // far more than the soil can give
    Richards richards(mesh, flow, ground, heads);
    EXPECT_FALSE(richards.step(1e6).converged);
    EXPECT_EQ(richards.heads(), heads);
}

}  // namespace
}  // namespace weir::aquifer
