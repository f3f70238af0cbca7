#include "apps/cloud/poisson_fourier.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/random.hpp"

namespace weir::cloud {
namespace {

struct Numbers {
    explicit Numbers(Index n) : re(static_cast<std::size_t>(n * lanes)), im(re.size()) {}
    ComplexLanes<double> lanes_of() { return {re.data(), im.data()}; }
    ComplexLanes<double> exchanged() { return {im.data(), re.data()}; }
    Doubles re, im;
};

Numbers noise(Index n) {
    Numbers values(n);
    for (std::size_t i = 0; i < values.re.size(); ++i) {
        values.re[i] = static_cast<double>(mix(2 * i) >> 11U) * 0x1p-53 - 0.5;
        values.im[i] = static_cast<double>(mix(2 * i + 1) >> 11U) * 0x1p-53 - 0.5;
    }
    return values;
}

class FourierOf : public ::testing::TestWithParam<Index> {};

TEST_P(FourierOf, IsTheSumOverWavesInEachLane) {
    auto const n = GetParam();
    auto from = noise(n);
    Numbers to(n);
    Fourier(n).transform(from.lanes_of(), to.lanes_of());
    for (Index l = 0; l < lanes; ++l) {
        for (Index k = 0; k < n; ++k) {
            double re = 0;
            double im = 0;
            for (Index j = 0; j < n; ++j) {
                auto const angle = 2 * std::numbers::pi * static_cast<double>(j * k % n) / static_cast<double>(n);
                auto const at = static_cast<std::size_t>(j * lanes + l);
                re += from.re[at] * std::cos(angle) + from.im[at] * std::sin(angle);
                im += from.im[at] * std::cos(angle) - from.re[at] * std::sin(angle);
            }
            auto const at = static_cast<std::size_t>(k * lanes + l);
            ASSERT_NEAR(to.re[at], re, 1e-13 * static_cast<double>(n)) << k;
            ASSERT_NEAR(to.im[at], im, 1e-13 * static_cast<double>(n)) << k;
        }
    }
}

TEST_P(FourierOf, WithItsPartsExchangedIsTheWayBack) {
    auto const n = GetParam();
    auto const before = noise(n);
    auto from = before;
    Numbers to(n);
    Fourier transform(n);
    transform.transform(from.lanes_of(), to.lanes_of());
    transform.transform(to.exchanged(), from.exchanged());
    for (std::size_t i = 0; i < before.re.size(); ++i) {
        ASSERT_NEAR(from.re[i] / static_cast<double>(n), before.re[i], 1e-14);
        ASSERT_NEAR(from.im[i] / static_cast<double>(n), before.im[i], 1e-14);
    }
}

INSTANTIATE_TEST_SUITE_P(Lengths, FourierOf, ::testing::Values(1, 2, 3, 4, 5, 7, 8, 12, 30, 45, 49, 53));

}  // namespace
}  // namespace weir::cloud
