#include "array_formats/common/file_shape.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace weir::formats {
namespace {

TEST(FileShape, ReversesFortranOrder) {
    weir_file_array array{2, {4, 5}, {1, 2}, {6, 7}, 8, WEIR_FORTRAN_ORDER};
    EXPECT_EQ(shape_of(array), (Extents{5, 4}));
    EXPECT_EQ(start_of(array), (Extents{2, 1}));
    EXPECT_EQ(larger_of(array), (Extents{7, 6}));
    array.order = WEIR_C_ORDER;
    EXPECT_EQ(shape_of(array), (Extents{4, 5}));
    EXPECT_EQ(words(shape_of(array)), "4 x 5");
}

/// The elements of boxes, one after the other.
std::vector<std::uint64_t> elements(Extents const& shape, Extents const& start, Extents const& box) {
    std::vector<std::uint64_t> all{0};
    for (std::size_t k = 0; k < shape.size(); ++k) {
        std::vector<std::uint64_t> next;
        for (auto const before : all) {
            for (auto i = start[k]; i < start[k] + box[k]; ++i) {
                EXPECT_LT(i, shape[k]);
                next.push_back(before * shape[k] + i);
            }
        }
        all = std::move(next);
    }
    return all;
}

class Boxes : public ::testing::TestWithParam<unsigned> {};

TEST_P(Boxes, AreTheRangeInItsOrderAndFew) {
    std::mt19937 random(GetParam());
    auto const between = [&](std::uint64_t least, std::uint64_t most) {
        return std::uniform_int_distribution<std::uint64_t>(least, most)(random);
    };
    Extents shape(between(1, 5));
    std::ranges::generate(shape, [&] { return between(1, 5); });
    auto const all = std::accumulate(shape.begin(), shape.end(), std::uint64_t{1}, std::multiplies<>());
    auto const first = between(0, all - 1);
    auto const count = between(0, all - first);

    std::vector<std::uint64_t> found;
    std::size_t boxes = 0;
    each_box(shape, first, count, [&](Extents const& start, Extents const& box) {
        auto const next = elements(shape, start, box);
        found.insert(found.end(), next.begin(), next.end());
        ++boxes;
    });
    std::vector<std::uint64_t> wanted(count);
    std::iota(wanted.begin(), wanted.end(), first);
    EXPECT_EQ(found, wanted);
    EXPECT_LE(boxes, 2 * shape.size() - 1);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Boxes, ::testing::Range(0U, 200U));

TEST(FileShape, AWholeArrayIsOneBox) {
    int boxes = 0;
    each_box({3, 4, 5}, 0, 60, [&](Extents const& start, Extents const& box) {
        EXPECT_EQ(start, (Extents{0, 0, 0}));
        EXPECT_EQ(box, (Extents{3, 4, 5}));
        ++boxes;
    });
    EXPECT_EQ(boxes, 1);
}

}  // namespace
}  // namespace weir::formats
