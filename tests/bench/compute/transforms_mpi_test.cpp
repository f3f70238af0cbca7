#include <gtest/gtest.h>

#include <numbers>

#include "bench/compute/fft/global_transform.hpp"
#include "bench/compute/linear/numbers.hpp"
#include "core/clock.hpp"

namespace weir {
namespace {

std::vector<Complex> random_numbers(std::uint64_t n) {
    CentredRandom const number(1);
    std::vector<Complex> x(n);
    for (std::uint64_t i = 0; i < n; ++i) {
        x[i] = {number(2 * i), number(2 * i + 1)};
    }
    return x;
}

/// By its definition.
std::vector<Complex> defined_transform(std::vector<Complex> const& x, FftSign sign) {
    auto const n = x.size();
    std::vector<Complex> y(n);
    for (std::size_t k = 0; k < n; ++k) {
        for (std::size_t i = 0; i < n; ++i) {
            auto const angle =
                static_cast<int>(sign) * 2 * std::numbers::pi * static_cast<double>(i * k % n) / static_cast<double>(n);
            y[k] += x[i] * Complex(std::cos(angle), std::sin(angle));
        }
    }
    return y;
}

void expect_near(Complex const* found, std::vector<Complex> const& expected, std::size_t first, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        ASSERT_LT(std::abs(found[i] - expected[first + i]), 1e-11) << first + i;
    }
}

TEST(PlainTransform, IsTheDefinitionForAnySize) {
    for (std::uint64_t const n : {1, 2, 3, 4, 5, 6, 7, 8, 12, 30, 49, 60, 64, 97, 120, 128, 131, 137, 262, 393}) {
        for (auto const sign : {FftSign::forward, FftSign::backward}) {
            auto x = random_numbers(2 * n);
            auto const second = std::vector<Complex>(x.begin() + static_cast<std::ptrdiff_t>(n), x.end());
            auto const first = std::vector<Complex>(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(n));
            plain_transforms()->plan(n, 2, sign, x.data())->run(x.data());
            expect_near(x.data(), defined_transform(first, sign), 0, n);
            expect_near(x.data() + n, defined_transform(second, sign), 0, n);
        }
    }
}

TEST(PlainTransform, IsExactWhereAPrimeFactorIsLarge) {
    auto const n = std::uint64_t{104729};  // the definition's sums would be off by more than is allowed
    auto const before = random_numbers(n);
    auto x = before;
    plain_transforms()->plan(n, 1, FftSign::forward, x.data())->run(x.data());
    plain_transforms()->plan(n, 1, FftSign::backward, x.data())->run(x.data());
    for (std::uint64_t i = 0; i < n; ++i) {
        ASSERT_LT(std::abs(x[i] / static_cast<double>(n) - before[i]), 4e-15) << i;
    }
    constexpr std::uint64_t longer = 262144;
    EXPECT_EQ(plain_transforms()->extra_bytes(n), 4 * longer * sizeof(Complex));
    EXPECT_EQ(plain_transforms()->extra_bytes(127 * 1024), 127 * 1024 * sizeof(Complex));
}

TEST(FftShape, IsTheMostNearlySquareOneOfMultiplesOfTheRanks) {
    EXPECT_EQ(fft_shape(64, 1).rows, 8U);
    EXPECT_EQ(fft_shape(32, 1).rows, 4U);
    EXPECT_EQ(fft_shape(36 * 8, 6).rows, 12U);
    EXPECT_EQ(fft_shape(4, 2).rows, 2U);
    EXPECT_EQ(fft_shape(8, 4).rows, 0U);
    EXPECT_EQ(fft_shape(15, 2).rows, 0U);
    EXPECT_EQ(fft_size_below(1000, 3), 64 * 9U);
    EXPECT_EQ(fft_size_below(3, 2), 4U);
}

TEST(GlobalTransform, IsTheDefinitionOnAnyNumberOfRanks) {
    auto const world = Communicator::world();
    for (std::uint64_t ranks = 1; ranks <= world.size(); ++ranks) {
        auto const comm = world.split(world.rank() < ranks ? 0 : 1);
        for (auto const& library : {std::string("plain"), std::string("auto")}) {
            for (std::uint64_t const times : {1, 2, 3, 8, 15, 20}) {
                if (world.rank() >= ranks) {
                    continue;
                }
                auto const size = times * ranks * ranks;
                auto const mine = size / ranks;
                auto const pages = times % 2 == 0 ? Pages::large : Pages::usual;  // by messages, or by shared memory
                GlobalTransform transform(comm, *TransformLibrary::load(library, Seconds{0}), size, pages);
                for (auto const sign : {FftSign::forward, FftSign::backward}) {
                    auto const x = random_numbers(size);
                    auto const first = static_cast<std::ptrdiff_t>(comm.rank() * mine);
                    std::copy_n(x.begin() + first, mine, transform.numbers());
                    transform.run(sign);
                    expect_near(transform.numbers(), defined_transform(x, sign), comm.rank() * mine, mine);
                }
            }
        }
    }
}

/// What a rank has for another goes in two messages or more; of a single 1, all numbers are known.
TEST(GlobalTransform, IsRightInSeveralMessages) {
    auto const world = Communicator::world();
    auto const mine = world.size() * 32768;
    auto const size = world.size() * mine;
    auto const place = size / 3 + 1;
    auto const first = world.rank() * mine;
    GlobalTransform transform(world, *TransformLibrary::load("plain", Seconds{0}), size, Pages::large);
    for (std::uint64_t i = 0; i < mine; ++i) {
        transform.numbers()[i] = first + i == place ? 1 : 0;
    }
    transform.run(FftSign::forward);
    auto const turn = -2 * std::numbers::pi / static_cast<double>(size);
    for (std::uint64_t i = 0; i < mine; ++i) {
        auto const expected = std::polar(1.0, turn * static_cast<double>((first + i) * place % size));
        ASSERT_LT(std::abs(transform.numbers()[i] - expected), 1e-11) << first + i;
    }
    transform.run(FftSign::backward);
    for (std::uint64_t i = 0; i < mine; ++i) {
        auto const expected = first + i == place ? 1.0 : 0.0;
        ASSERT_LT(std::abs(transform.numbers()[i] / static_cast<double>(size) - expected), 1e-11) << first + i;
    }
}

TEST(GlobalTransform, TellsTheTimeOfEachOfItsParts) {
    auto const world = Communicator::world();
    auto const size = world.size() * world.size() * 4096;
    GlobalTransform transform(world, *TransformLibrary::load("plain", Seconds{0}), size);
    std::fill_n(transform.numbers(), size / world.size(), Complex(1, 0));
    MonotonicClock const clock;
    auto const from_s = clock.now_s();
    transform.run(FftSign::forward);
    auto const took_s = clock.now_s() - from_s;
    double sum_s = 0;
    for (auto const part_s : transform.parts_s()) {
        EXPECT_GT(part_s, 0);
        sum_s += part_s;
    }
    EXPECT_LT(sum_s, 1.01 * took_s);
    EXPECT_GT(sum_s, 0.3 * took_s) << "what is before and after them is nearly nothing, but a rank may lose its core";
}

}  // namespace
}  // namespace weir
