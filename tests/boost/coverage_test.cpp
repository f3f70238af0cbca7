#include "boost/coverage.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace weir::boost {
namespace {

TEST(Coverage, IsThatOfAListOfBytes) {
    std::mt19937_64 random(1);
    Coverage coverage;
    for (int round = 0; round < 300; ++round) {
        auto const bytes = 1 + random() % 400;
        std::vector<bool> filled(bytes);
        coverage.clear(bytes);
        for (auto marks = random() % 12; marks > 0; --marks) {
            auto const from = random() % bytes;
            auto const length = random() % (bytes - from + 1);
            coverage.mark(from, length);
            std::fill_n(filled.begin() + static_cast<std::ptrdiff_t>(from), length, true);
        }
        std::vector<bool> visited(bytes);
        std::uint64_t behind = 0;
        coverage.each_filled([&](std::uint64_t from, std::uint64_t length) {
            ASSERT_GT(length, 0U);
            ASSERT_TRUE(behind == 0 || from > behind);  // pieces do not touch
            behind = from + length;
            std::fill_n(visited.begin() + static_cast<std::ptrdiff_t>(from), length, true);
        });
        ASSERT_EQ(visited, filled);
    }
}

}  // namespace
}  // namespace weir::boost
