#include "bench/compute/linear/transpose.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace weir {
namespace {

TEST(Transpose, MovesEachNumberAndTouchesNoOther) {
    constexpr std::array<std::uint64_t, 7> lengths{0, 1, 7, 8, 9, 24, 101};
    for (auto const rows : lengths) {
        for (auto const columns : lengths) {
            auto const from_apart = columns + 3;
            auto const to_apart = rows + 2;
            std::vector<double> from((rows + 1) * from_apart);
            for (std::size_t i = 0; i < from.size(); ++i) {
                from[i] = static_cast<double>(i);
            }
            std::vector<double> to((columns + 1) * to_apart, -1.0);
            auto expected = to;
            for (std::uint64_t row = 0; row < rows; ++row) {
                for (std::uint64_t column = 0; column < columns; ++column) {
                    expected[column * to_apart + row] = from[row * from_apart + column];
                }
            }
            transpose(rows, columns, from.data(), from_apart, to.data(), to_apart);
            EXPECT_EQ(to, expected) << rows << " x " << columns;
        }
    }
}

}  // namespace
}  // namespace weir
