#include "apps/flash/gas/two_levels.hpp"

#include <gtest/gtest.h>

#include <random>

#include "apps/flash/gas/blocks.hpp"

namespace weir::flash {
namespace {

constexpr double gamma = 1.4;
constexpr CellBox coarse_box{{0, 0, 0}, {4, 4, 4}};
constexpr CellBox with_neighbours{{-1, -1, -1}, {5, 5, 5}};
constexpr CellBox fine_box{{0, 0, 0}, {8, 8, 8}};

struct TwoLevels : ::testing::Test {
    Doubles coarse_values = Doubles(variables * 216);
    Doubles fine_values = Doubles(variables * 512);
    View<double> coarse = contiguous(coarse_values.data(), with_neighbours);
    View<double> fine = contiguous(fine_values.data(), fine_box);

    template <class At>
    void fill_coarse(At at) {
        for_cells(with_neighbours, [&](Triple const& c) { coarse.set(c, at(c)); });
    }
};

State sum_of(View<double const> const& cells, CellBox const& box) {
    State sum{};
    for_cells(box, [&](Triple const& c) {
        auto const state = conserved(cells.state(c), gamma);
        for (std::size_t v = 0; v < variables; ++v) {
            sum[v] += state[v];
        }
    });
    return sum;
}

/// Strong contrasts, cold and fast.
State wild(std::mt19937& random) {
    std::uniform_real_distribution<double> power(-3, 2);
    std::uniform_real_distribution<double> speed(-20, 20);
    return {std::pow(10, power(random)), speed(random), speed(random), speed(random), std::pow(10, power(random))};
}

void expect_same_sums(State const& fine, State const& coarse, double scale) {
    for (std::size_t v = 0; v < variables; ++v) {
        EXPECT_NEAR(fine[v], 8 * coarse[v], 1e-12 * scale) << "conserved quantity " << v;
    }
}

TEST_F(TwoLevels, InterpolationKeepsMassMomentumAndEnergyOfEachCell) {
    std::mt19937 random(1);
    fill_coarse([&](Triple const&) { return wild(random); });
    interpolate(coarse, coarse_box, fine, gamma);
    for_cells(coarse_box, [&](Triple const& c) {
        CellBox const one{c, {c[0] + 1, c[1] + 1, c[2] + 1}};
        CellBox const its_cells{{2 * c[0], 2 * c[1], 2 * c[2]}, {2 * c[0] + 2, 2 * c[1] + 2, 2 * c[2] + 2}};
        auto const whole = sum_of(coarse, one);
        expect_same_sums(sum_of(fine, its_cells), whole, whole[pressure] + 8 * whole[density]);
    });
}

TEST_F(TwoLevels, InterpolationLeavesNoGasColdOrEmpty) {
    std::mt19937 random(2);
    fill_coarse([&](Triple const&) { return wild(random); });
    interpolate(coarse, coarse_box, fine, gamma);
    for_cells(fine_box, [&](Triple const& c) {
        auto const of = coarse.state({c[0] / 2, c[1] / 2, c[2] / 2});
        EXPECT_GE(fine.state(c)[density], 0.249 * of[density]);
        EXPECT_GE(fine.state(c)[pressure], 0.124 * of[pressure]);
    });
}

TEST_F(TwoLevels, AverageKeepsMassMomentumAndEnergy) {
    std::mt19937 random(3);
    for_cells(fine_box, [&](Triple const& c) { fine.set(c, wild(random)); });
    average(fine, coarse_box, coarse, gamma);
    auto const whole = sum_of(coarse, coarse_box);
    expect_same_sums(sum_of(fine, fine_box), whole, whole[pressure] + 20 * whole[density]);
}

TEST_F(TwoLevels, AverageInvertsInterpolation) {
    std::mt19937 random(4);
    fill_coarse([&](Triple const&) { return wild(random); });
    interpolate(coarse, coarse_box, fine, gamma);
    Doubles again(variables * 64);
    auto const back = contiguous(again.data(), coarse_box);
    average(fine, coarse_box, back, gamma);
    for_cells(coarse_box, [&](Triple const& c) {
        for (std::size_t v = 0; v < variables; ++v) {
            auto const expected = coarse.state(c)[v];
            EXPECT_NEAR(back.state(c)[v], expected, 1e-9 * (std::abs(expected) + 1)) << v;
        }
    });
}

TEST_F(TwoLevels, UniformGasStaysAsItIs) {
    constexpr State gas{1.1, 0.3, -0.7, 1.9, 0.01};
    fill_coarse([&](Triple const&) { return gas; });
    interpolate(coarse, coarse_box, fine, gamma);
    for_cells(fine_box, [&](Triple const& c) { EXPECT_EQ(fine.state(c), gas); });
    average(fine, coarse_box, coarse, gamma);
    for_cells(coarse_box, [&](Triple const& c) { EXPECT_EQ(coarse.state(c), gas); });
}

/// A density and a pressure that rise along all axes, in gas that moves as a whole; and a linear velocity.
TEST_F(TwoLevels, LinearFieldsAreExact) {
    auto const at = [](double x, double y, double z) -> State {
        return {3 + 0.1 * x + 0.2 * y - 0.05 * z, 0.3, -0.2, 1, 2 - 0.1 * x + 0.02 * y + 0.2 * z};
    };
    fill_coarse([&](Triple const& c) {
        return at(2 * static_cast<double>(c[0]) + 0.5, 2 * static_cast<double>(c[1]) + 0.5,
                  2 * static_cast<double>(c[2]) + 0.5);
    });
    interpolate(coarse, coarse_box, fine, gamma);
    for_cells(fine_box, [&](Triple const& c) {
        auto const expected = at(static_cast<double>(c[0]), static_cast<double>(c[1]), static_cast<double>(c[2]));
        for (std::size_t v = 0; v < variables; ++v) {
            EXPECT_NEAR(fine.state(c)[v], expected[v], 1e-14) << v;
        }
    });
    fill_coarse([&](Triple const& c) -> State { return {2, static_cast<double>(c[0] + 2 * c[1]), 0, 0, 100}; });
    interpolate(coarse, coarse_box, fine, gamma);
    EXPECT_DOUBLE_EQ(fine.state({2, 4, 5})[velocity_x], 1 - 0.25 + 2 * (2 - 0.25));
}

TEST_F(TwoLevels, NoSlopeAtAnExtremum) {
    fill_coarse([&](Triple const& c) -> State { return {c == Triple{1, 1, 1} ? 2.0 : 1.0, 0, 0, 0, 1}; });
    interpolate(coarse, coarse_box, fine, gamma);
    EXPECT_EQ(fine.state({2, 2, 2})[density], 2);
    EXPECT_EQ(fine.state({3, 3, 3})[density], 2);
    EXPECT_EQ(fine.state({1, 2, 2})[density], 1);
}

}  // namespace
}  // namespace weir::flash
