#include "bench/compute/linear/numbers.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>

namespace weir {
namespace {

/// The inverse of x ^ (x >> shift).
constexpr std::uint64_t unshifted(std::uint64_t x, unsigned shift) {
    auto found = x;
    for (auto known = shift; known < 64; known += shift) {
        found = x ^ (found >> shift);
    }
    return found;
}

/// Modulo 2^64, of an odd number; by Newton.
constexpr std::uint64_t inverse_of(std::uint64_t odd) {
    auto found = odd;
    for (int i = 0; i < 6; ++i) {
        found *= 2 - odd * found;
    }
    return found;
}

constexpr std::uint64_t unmixed(std::uint64_t x) {
    x = unshifted(x, 31) * inverse_of(0x94d049bb133111ebU);
    x = unshifted(x, 27) * inverse_of(0xbf58476d1ce4e5b9U);
    return unshifted(x, 30) - 0x9e3779b97f4a7c15U;
}
static_assert(unmixed(mix(42)) == 42 && mix(unmixed(7)) == 7);

constexpr std::uint64_t numbers_compared = 1024;

/// How many of the first numbers both have, in any order.
std::uint64_t in_common(CentredRandom const& one, CentredRandom const& other) {
    std::set<double> numbers;
    for (std::uint64_t place = 0; place < numbers_compared; ++place) {
        numbers.insert(one(place));
    }
    std::uint64_t found = 0;
    for (std::uint64_t place = 0; place < numbers_compared; ++place) {
        found += numbers.count(other(place));
    }
    return found;
}

/// For each seed there were others whose mixed value differs in low bits alone; place by place, they counted through
/// the same numbers.
TEST(CentredRandom, OfNoSeedIsThatOfAnotherInAnotherOrder) {
    constexpr std::uint64_t seed = 1;
    for (std::uint64_t const apart : {1U, 5U, 512U, 1023U}) {
        EXPECT_EQ(in_common(CentredRandom(seed), CentredRandom(unmixed(mix(seed) ^ apart))), 0U) << apart;
        EXPECT_EQ(in_common(CentredRandom(seed), CentredRandom(unmixed(mix(seed) + apart))), 0U) << apart;
    }
    constexpr auto start = seed_of_sequence(seed, 0);
    for (std::uint64_t const apart : {1U, 512U}) {
        auto const starts_beside = unmixed(unmixed(start ^ apart));
        EXPECT_EQ(in_common(CentredRandom(seed), CentredRandom(starts_beside)), 0U) << apart;
    }
}

TEST(CentredRandom, OfARankIsNotThatOfTheNextSeed) {
    std::set<double> firsts;
    constexpr std::uint64_t seeds = 32;
    constexpr std::uint64_t ranks = 32;
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        for (std::uint64_t rank = 0; rank < ranks; ++rank) {
            firsts.insert(CentredRandom(seed, rank)(0));
        }
    }
    EXPECT_EQ(firsts.size(), seeds * ranks);
    EXPECT_EQ(in_common(CentredRandom(1, 1), CentredRandom(2, 0)), 0U);
}

/// Twelve numbers in [0, 1) vary by 1: the mean of many is 0, their variance 1/12, and neighbours are no more alike
/// than others.
TEST(CentredRandom, IsUniformForAnySeed) {
    constexpr std::uint64_t many = 100'000;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        CentredRandom const number(seed);
        double sum = 0;
        double squares = 0;
        double neighbours = 0;
        for (std::uint64_t place = 0; place < many; ++place) {
            sum += number(place);
            squares += number(place) * number(place);
            neighbours += number(place) * number(place + 1);
        }
        EXPECT_NEAR(sum / many, 0, 0.005) << seed;  // five standard deviations
        EXPECT_NEAR(squares / many, 1.0 / 12, 0.0012) << seed;
        EXPECT_NEAR(neighbours / many, 0, 0.0014) << seed;
    }
}

}  // namespace
}  // namespace weir
