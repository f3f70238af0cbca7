// What the C interface offers to libraries on top of it: a look at a plan's arrays, plans alike, the other byte order.

#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <numeric>

#include "support/arrays/array_fixture.hpp"
#include "support/arrays/field.hpp"

namespace {

using weir::testing::Field;

std::vector<std::int64_t> const odd_shape{7, 9, 11};

using Libraries = weir::testing::ArrayFixture;

TEST_F(Libraries, SeeThePlansArrays) {
    Field const field(comm, odd_shape, "");
    ASSERT_EQ(weir_plan_arrays(field.plan()), 1);
    weir_file_array what;
    ASSERT_EQ(weir_plan_array(field.plan(), 0, &what), WEIR_OK);
    EXPECT_EQ(what.dims, 3);
    EXPECT_EQ(std::vector(what.shape, what.shape + 3), odd_shape);
    EXPECT_EQ(std::vector(what.larger, what.larger + 3), odd_shape);
    EXPECT_EQ(what.start[0] + what.start[1] + what.start[2], 0);
    EXPECT_EQ(what.element_bytes, sizeof(std::int64_t));
    EXPECT_EQ(what.order, WEIR_C_ORDER);
    EXPECT_EQ(weir_plan_array(field.plan(), 1, &what), WEIR_BAD_ARGUMENT);
    EXPECT_EQ(weir_plan_array(field.plan(), -1, &what), WEIR_BAD_ARGUMENT);
    EXPECT_EQ(weir_plan_arrays(nullptr), 0);
    int ranks = 0;
    MPI_Comm_size(weir_plan_comm(field.plan()), &ranks);
    EXPECT_EQ(ranks, comm.size());
}

TEST_F(Libraries, SeeWhichOptionsAreInForce) {
    Field const field(comm, odd_shape, "safe=true window=1MiB");
    EXPECT_EQ(weir_plan_has(field.plan(), "safe"), 1);
    EXPECT_EQ(weir_plan_has(field.plan(), "sync"), 1);
    EXPECT_EQ(weir_plan_has(field.plan(), "checksum"), 0);
    EXPECT_EQ(weir_plan_has(field.plan(), "window"), 0);
    EXPECT_EQ(weir_plan_has(field.plan(), "no such"), 0);
    EXPECT_EQ(weir_plan_has(nullptr, "safe"), 0);
}

TEST_F(Libraries, SeeTheLargerArray) {
    std::int64_t const small[] = {4, 2};
    std::int64_t const large[] = {6, 5};
    std::int64_t const start[] = {2, 1};
    auto const array = weir::testing::array_by(weir_array_block, 2, small, nullptr, 8, WEIR_FORTRAN_ORDER);
    weir_array_within(array.get(), large, start, nullptr);
    auto const plan = plan_for({array.get()});
    weir_file_array what;
    ASSERT_EQ(weir_plan_array(plan.get(), 0, &what), WEIR_OK);
    EXPECT_EQ(std::vector(what.shape, what.shape + 2), (std::vector<std::int64_t>{4, 2}));
    EXPECT_EQ(std::vector(what.larger, what.larger + 2), (std::vector<std::int64_t>{6, 5}));
    EXPECT_EQ(std::vector(what.start, what.start + 2), (std::vector<std::int64_t>{2, 1}));
    EXPECT_EQ(what.order, WEIR_FORTRAN_ORDER);
}

TEST_F(Libraries, MakePlansAlike) {
    Field field(comm, odd_shape, "method=two_phase sync=no");
    weir_plan* gathered = nullptr;
    ASSERT_TRUE(ok(weir_plan_alike(field.plan(), "method=gather", &gathered, &error)));
    EXPECT_TRUE(weir::testing::has(weir_plan_explain(gathered), "gather"));
    field.fill(1);
    ASSERT_TRUE(ok(weir_write(gathered, path.c_str(), 0, field.buffers(), &error)));
    field.clear();
    ASSERT_TRUE(ok(weir_read(field.plan(), path.c_str(), 0, field.buffers(), &error)));
    EXPECT_TRUE(field.holds(1));
    weir_plan_free(gathered);
    EXPECT_EQ(weir_plan_alike(field.plan(), "writers", &gathered, &error), WEIR_BAD_ARGUMENT);
    EXPECT_EQ(gathered, nullptr);
    EXPECT_EQ(weir_plan_alike(field.plan(), "", nullptr, &error), WEIR_BAD_ARGUMENT);
}

/// A plan gives back the memory of lists that it needs no more: one alike has to have them all the same.
TEST_F(Libraries, MakePlansAlikeOfListsToo) {
    std::int64_t const rank = comm.rank();
    std::int64_t const rows[] = {3 * ranks, 4};
    std::int64_t const starts[] = {3 * rank + 1, 0, 3 * rank, 0, 3 * rank, 1};
    std::int64_t const counts[] = {2, 4, 1, 1, 1, 3};
    std::int64_t const offsets[] = {4 * rank + 2, 4 * rank};
    std::int64_t const lengths[] = {2, 2};
    using weir::testing::array_by;
    auto const by_boxes = array_by(weir_array_boxes, 2, rows, 3, starts, counts, sizeof(int), WEIR_C_ORDER);
    auto const by_pieces = array_by(weir_array_pieces, 4 * ranks, 2, offsets, lengths, sizeof(int));
    auto const plan = plan_for({by_boxes.get(), by_pieces.get()}, "sync=no");
    auto const alike = [&](weir_plan* one, char const* options) {
        weir_plan* other = nullptr;
        EXPECT_TRUE(ok(weir_plan_alike(one, options, &other, &error)));
        return weir::testing::PlanHandle(other);
    };
    for (auto const* options :
         {"method=gather", "method=two_phase exchange=messages", "method=grouped group=2", "method=independent"}) {
        auto const other = alike(plan.get(), options);
        std::array<int, 12> boxes{};
        std::array<int, 4> pieces{};
        std::iota(boxes.begin(), boxes.end(), 100 * comm.rank());
        std::iota(pieces.begin(), pieces.end(), 1000 + 100 * comm.rank());
        auto const wanted = std::pair(boxes, pieces);
        std::array<void*, 2> const buffers{boxes.data(), pieces.data()};
        ASSERT_TRUE(ok(weir_write(other.get(), path.c_str(), 0, buffers.data(), &error)));
        auto const third = alike(other.get(), "method=gather");
        for (auto* reader : {plan.get(), other.get(), third.get()}) {
            boxes.fill(-1);
            pieces.fill(-1);
            ASSERT_TRUE(ok(weir_read(reader, path.c_str(), 0, buffers.data(), &error)));
            EXPECT_EQ(std::pair(boxes, pieces), wanted) << options;
        }
    }
}

TEST_F(Libraries, ReverseNumbersWhateverTheMethodAndTheWindow) {
    for (auto const* options :
         {"method=independent", "method=gather window=1001B", "method=two_phase align=3B window=77B",
          "method=two_phase exchange=messages align=5B window=333B", "method=grouped group=2",
          "thread=true checksum=true"}) {
        Field field(comm, odd_shape, options);
        std::int64_t const offset = 3;
        field.fill(1);
        ASSERT_TRUE(ok(weir_write_swapped(field.plan(), path.c_str(), &offset, nullptr, field.buffers(), &error)));
        EXPECT_TRUE(field.holds(1)) << "the buffers are left alone";
        comm.barrier();
        std::ifstream file(path, std::ios::binary);
        file.seekg(3);
        for (std::int64_t i = 0; i < 7 * 9 * 11; ++i) {
            std::uint64_t value = 0;
            file.read(reinterpret_cast<char*>(&value), sizeof value);
            ASSERT_EQ(__builtin_bswap64(value), i + 1) << options;
        }
        field.clear();
        int const number = 8;
        ASSERT_TRUE(ok(weir_read_swapped(field.plan(), path.c_str(), &offset, &number, field.buffers(), &error)));
        EXPECT_TRUE(field.holds(1)) << options;
        comm.barrier();
    }
}

TEST_F(Libraries, AreToldOfNumbersThatDoNotFit) {
    Field field(comm, odd_shape, "");
    std::int64_t const offset = 0;
    for (int const number : {3, 0, -8, 16}) {
        EXPECT_EQ(weir_write_swapped(field.plan(), path.c_str(), &offset, &number, field.buffers(), &error),
                  WEIR_BAD_ARGUMENT);
        EXPECT_TRUE(says("does not consist of numbers of"));
    }
    int const differs = comm.is_root() ? 8 : 4;
    EXPECT_EQ(weir_write_swapped(field.plan(), path.c_str(), &offset, &differs, field.buffers(), &error),
              comm.size() > 1 ? WEIR_DISAGREE : WEIR_OK);
}

}  // namespace
