#include "apps/flash/gas/loehner.hpp"

#include <gtest/gtest.h>

#include <random>

namespace weir::flash {
namespace {

constexpr Index n = 8;
constexpr CellBox box{{-guards, -guards, -guards}, {n + guards, n + guards, n + guards}};

struct Loehner : ::testing::Test {
    Doubles values = Doubles(variables * 4096);
    View<double> cells = contiguous(values.data(), box);

    template <class At>
    double error_of(At at) {
        for_cells(box, [&](Triple const& c) { *cells.at(pressure, c) = at(c); });
        return loehner_error(cells, pressure, n);
    }

    [[nodiscard]] double u(Triple c, std::size_t a, Index by_a, std::size_t b, Index by_b) const {
        c[a] += by_a;
        c[b] += by_b;
        return *cells.at(pressure, c);
    }

    /// The definition, cell by cell.
    [[nodiscard]] double directly() const {
        double most = 0;
        for_cells({{-2, -2, -2}, {n + 2, n + 2, n + 2}}, [&](Triple const& c) {
            double seconds = 0;
            double firsts = 0;
            for (std::size_t a = 0; a < axes; ++a) {
                for (std::size_t b = 0; b < axes; ++b) {
                    auto const up = u(c, a, 1, b, 1) - u(c, a, -1, b, 1);
                    auto const down = u(c, a, 1, b, -1) - u(c, a, -1, b, -1);
                    auto const sizes = std::abs(u(c, a, 1, b, 1)) + std::abs(u(c, a, -1, b, 1)) +
                                       std::abs(u(c, a, 1, b, -1)) + std::abs(u(c, a, -1, b, -1));
                    seconds += std::pow(up - down, 2);
                    firsts += std::pow(std::abs(up) + std::abs(down) + 0.01 * sizes, 2);
                }
            }
            most = std::max(most, std::sqrt(seconds / firsts));
        });
        return most;
    }
};

TEST_F(Loehner, IsItsDefinition) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> any(-1, 3);
    for (int i = 0; i < 3; ++i) {
        auto const found = error_of([&](Triple const&) { return any(random); });
        EXPECT_NEAR(found, directly(), 1e-14);
    }
    auto const smooth = error_of([](Triple const& c) { return std::sin(0.3 * static_cast<double>(c[0] + 2 * c[2])); });
    EXPECT_NEAR(smooth, directly(), 1e-14);
}

TEST_F(Loehner, IsNothingForLinearAndForNoFields) {
    EXPECT_NEAR(error_of([](Triple const& c) { return 100 + static_cast<double>(c[0] - c[1]); }), 0, 1e-12);
    EXPECT_EQ(error_of([](Triple const&) { return 0.0; }), 0);
}

/// A step from 1 to 1000 is seen from the two layers around the block, whose differences reach two cells further.
TEST_F(Loehner, SeesTwoLayersBesideTheBlock) {
    auto const step_at = [&](Index place) {
        return error_of([=](Triple const& c) { return c[0] < place ? 1. : 1e3; });
    };
    EXPECT_GT(step_at(4), 0.8);
    EXPECT_GT(step_at(n + 2), 0.8);
    EXPECT_GT(step_at(n + 3), 0.8);
    EXPECT_EQ(step_at(n + 4), 0);
    EXPECT_GT(step_at(-3), 0.8);
    EXPECT_EQ(step_at(-4), 0);
}

}  // namespace
}  // namespace weir::flash
