#include "apps/flash/gas/similarity.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace weir::flash {
namespace {

/// 1.4: FLASH's own solution, and the energy integral 0.851072 of Kamm, Timmes: LA-UR-07-2849 (2007). The others from
/// the momentum equation in place of the energy of spheres, integrated until the mass of a sphere was found again.
TEST(SimilarityConstant, IsThatOfPublishedSolutions) {
    EXPECT_NEAR(similarity_constant(1.2), 0.89723, 1e-5);
    EXPECT_NEAR(similarity_constant(1.4), 1.03277747, 1e-8);
    EXPECT_NEAR(std::pow(similarity_constant(1.4), -5), 0.851072, 1e-6);
    EXPECT_NEAR(similarity_constant(1.6667), 1.15168, 1e-5);
    EXPECT_NEAR(similarity_constant(2), 1.26233, 1e-5);
}

/// At 7 the velocity is that of a homologous flow; above, the centre is empty.
TEST(SimilarityConstant, GrowsSteadilyWithGamma) {
    double before = 0;
    for (auto const gamma : {1.001, 1.01, 1.1, 1.3, 1.5, 2.0, 4.0, 6.9, 6.999999, 7.0, 7.000001, 7.1, 8.0, 10.0}) {
        auto const constant = similarity_constant(gamma);
        EXPECT_GT(constant, before) << gamma;
        before = constant;
    }
    EXPECT_NEAR(similarity_constant(7 - 1e-6), similarity_constant(7), 1e-6);
    EXPECT_NEAR(similarity_constant(7 + 1e-6), similarity_constant(7), 1e-6);
}

/// There v is 1/4 everywhere, and g is 4/3 lambda.
TEST(SimilarityConstant, IsTheClosedFormOfGamma7) {
    auto const v = 0.25;
    auto const z = 7 * 6 * (1 - v) * v * v / (2 * (7 * v - 1));
    auto const integral = 4.0 / 3 / 6 * (v * v / 2 + z / (7 * 6));
    EXPECT_NEAR(similarity_constant(7), std::pow(25 / (16 * M_PI * integral), 0.2), 1e-9);
}

}  // namespace
}  // namespace weir::flash
