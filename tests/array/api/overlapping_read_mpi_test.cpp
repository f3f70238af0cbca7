// Ranks may read the same bytes, and leave others out.

#include <gtest/gtest.h>

#include <numeric>

#include "support/array_case.hpp"
#include "support/temporary_directory.hpp"

namespace weir::testing {
namespace {

/// Each rank reads the first half of an array, of which the file has no more: that ranks ask for as many bytes as it
/// has does not mean that they ask for all of them.
TEST(OverlappingRead, AsksForNoByteThatNobodyWants) {
    constexpr std::int64_t half = 1000;
    auto const world = Communicator::world();
    TemporaryDirectory const directory{world};
    auto const path = (directory.path() / "half").string();
    std::vector<std::int64_t> expected(half);
    std::iota(expected.begin(), expected.end(), 1);
    if (world.is_root()) {
        auto const* first = reinterpret_cast<std::byte const*>(expected.data());
        make_file(path, {first, first + half * sizeof expected[0]});
    }
    world.barrier();
    for (auto const* options : {"method=two_phase", "method=two_phase writers=1 readers=1", "method=gather",
                                "method=two_phase exchange=messages", "method=independent", "method=grouped"}) {
        weir_error error{};
        weir_array* array = nullptr;
        std::int64_t const start = 0;
        ASSERT_EQ(weir_array_pieces(2 * half, 1, &start, &half, sizeof expected[0], &array, &error), WEIR_OK);
        weir_plan* plan = nullptr;
        auto const made = weir_plan_make(world.handle(), 1, &array, options, &plan, &error);
        weir_array_free(array);
        ASSERT_EQ(made, WEIR_OK) << error.message;
        std::vector<std::int64_t> found(half);
        void* buffers[] = {found.data()};
        EXPECT_EQ(weir_read(plan, path.c_str(), 0, buffers, &error), WEIR_OK) << options << ": " << error.message;
        EXPECT_EQ(found, expected) << options;
        weir_plan_free(plan);
    }
}

}  // namespace
}  // namespace weir::testing
