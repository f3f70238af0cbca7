// What means nothing, or goes wrong on one rank alone: all ranks return the same code and message, none waits, and the
// plan is as good as before.

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>

#include "array/api/bad_input.hpp"
#include "support/skip.hpp"

namespace weir::testing {
namespace {

TEST_F(BadInput, RanksThatDescribeDifferentArrays) {
    WEIR_SKIP_IF(alone) << "one rank agrees with itself";
    std::vector<std::function<void(Layout&)>> const changes{
        [](Layout& l) { l.shape[1] += 1; },
        [](Layout& l) { l.shape = {96 * 25}, l.grid.clear(); },
        [](Layout& l) { l.element_bytes = 4; },
        [](Layout& l) { l.order = WEIR_FORTRAN_ORDER; },
        [](Layout& l) {
            l.grid = {1, l.grid[0]};
        },
        [](Layout& l) { l.grid.clear(); },
        [](Layout& l) {
            l.block = {3, 3};
        },
        [](Layout& l) {
            l.larger_shape = {100, 25}, l.larger_start = {0, 0};
        },
        [](Layout& l) {
            l.distribution = Distribution::boxes;
            l.starts.resize(l.ranks);
            l.counts.resize(l.ranks);
        },
        [](Layout& l) { l.distribution = Distribution::replicated; },
    };
    for (std::size_t i = 0; i < changes.size(); ++i) {
        SCOPED_TRACE(i);
        auto layout = rows();
        if (is_last) {
            changes[i](layout);
        }
        everywhere(make(layout), WEIR_DISAGREE, "rank " + std::to_string(comm.size() - 1));
    }
    auto const layout = rows();
    std::vector<weir_array*> arrays{testing::made(layout, comm.rank()).release()};
    if (is_last) {
        arrays.push_back(testing::made(layout, comm.rank()).release());
    }
    everywhere(made_of(arrays), WEIR_DISAGREE, "2 arrays; rank 0: 1 arrays");
}

TEST_F(BadInput, OneOfManyArraysThatRanksDescribeDifferentlyIsNamed) {
    WEIR_SKIP_IF(alone) << "one rank agrees with itself";
    std::vector<weir_array*> arrays;
    for (int i = 0; i < 40; ++i) {
        auto layout = rows();
        layout.shape[1] += is_last && i == 38 ? 1 : 0;
        arrays.push_back(testing::made(layout, comm.rank()).release());
    }
    everywhere(made_of(arrays), WEIR_DISAGREE, "array 38: 96 x 26 elements");
    EXPECT_TRUE(says("rank 0: array 38: 96 x 25 elements"));
}

TEST_F(BadInput, AGroupOfNone) { everywhere(make(rows(), "method=grouped group=0"), WEIR_BAD_ARGUMENT, "group"); }

TEST_F(BadInput, AGridThatDoesNotHoldAllRanks) {
    auto layout = rows();
    layout.grid = {layout.grid[0] + 1, 1};
    everywhere(make(layout), WEIR_BAD_ARGUMENT, "does not hold all ranks");
}

TEST_F(BadInput, ADescriptionThatFailedOnOneRank) {
    auto layout = rows();
    if (is_last) {
        layout.shape = {96, -25};
    }
    everywhere(make(layout), WEIR_BAD_ARGUMENT, "the array has -25 elements along dimension 2");
    EXPECT_EQ(error.rank, static_cast<int>(comm.size()) - 1);

    // It is remembered through later calls, and so is what fails in one of them.
    layout = rows();
    auto ghosts = testing::made(layout, comm.rank());
    std::int64_t const wrong[] = {-1, 0};
    std::int64_t const right[] = {1, 1};
    if (is_last) {
        EXPECT_EQ(weir_array_ghosts(ghosts.get(), wrong, right, nullptr), WEIR_BAD_ARGUMENT);
        EXPECT_EQ(weir_array_ghosts(ghosts.get(), right, right, nullptr), WEIR_BAD_ARGUMENT);
        EXPECT_EQ(weir_array_local(ghosts.get(), 0, 1, nullptr, nullptr, nullptr, nullptr, nullptr), WEIR_BAD_ARGUMENT);
    }
    everywhere(made_of({ghosts.release()}), WEIR_BAD_ARGUMENT, "a negative number of ghost elements");
}

TEST_F(BadInput, NoArraysAndNoRanks) {
    everywhere(made_of({is_last ? nullptr : testing::made(rows(), comm.rank()).release()}), WEIR_BAD_ARGUMENT,
               "an array of the plan is null");
    everywhere(made_of({}), WEIR_BAD_ARGUMENT, "a plan needs arrays");
    auto const array = testing::made(rows(), comm.rank());
    auto* const handle = array.get();
    weir_plan* plan = nullptr;
    everywhere(weir_plan_make(comm.handle(), 1, &handle, "", is_last ? nullptr : &plan, &error), WEIR_BAD_ARGUMENT,
               "a place to be put");
    EXPECT_EQ(weir_plan_make(MPI_COMM_NULL, 1, &handle, "", &plan, &error), WEIR_BAD_ARGUMENT);
    EXPECT_EQ(plan, nullptr);
}

TEST_F(BadInput, NullsThatAreLocal) {
    std::int64_t const shape[] = {4};
    EXPECT_EQ(weir_array_block(1, shape, nullptr, 8, WEIR_C_ORDER, nullptr, &error), WEIR_BAD_ARGUMENT);
    EXPECT_EQ(weir_array_ghosts(nullptr, shape, shape, &error), WEIR_BAD_ARGUMENT);
    EXPECT_EQ(weir_array_within(nullptr, shape, shape, nullptr), WEIR_BAD_ARGUMENT);
    EXPECT_EQ(weir_array_local(nullptr, 0, 1, nullptr, nullptr, nullptr, nullptr, &error), WEIR_BAD_ARGUMENT);
    weir_array_free(nullptr);
    weir_plan_free(nullptr);
    EXPECT_EQ(weir_write(nullptr, path.c_str(), 0, nullptr, &error), WEIR_BAD_ARGUMENT);
    EXPECT_STREQ(error.message, "there is no plan (the pointer is null). Make one first, and look at its error.");
    EXPECT_EQ(weir_read(nullptr, path.c_str(), 0, nullptr, nullptr), WEIR_BAD_ARGUMENT);
    EXPECT_EQ(weir_redistribute(nullptr, nullptr, nullptr, nullptr, &error), WEIR_BAD_ARGUMENT);
    EXPECT_TRUE(ok(weir_wait(nullptr, &error)));
    EXPECT_STREQ(weir_plan_explain(nullptr), "");
    EXPECT_EQ(weir_plan_memory(nullptr), 0);
    EXPECT_EQ(weir_plan_times(nullptr, nullptr), WEIR_BAD_ARGUMENT);
    EXPECT_STREQ(weir_code_text(-5), "unknown code");
}

TEST_F(BadInput, ABufferThatIsNullOnOneRank) {
    each_way({rows(), rows()}, [&](PlanHandle const& plan, Arrays& arrays) {
        auto* const* buffers = arrays.filled(1);
        std::vector<void*> const mine{buffers[0], is_last ? nullptr : buffers[1]};
        everywhere(weir_write(plan.get(), path.c_str(), 0, mine.data(), &error), WEIR_BAD_ARGUMENT,
                   "the buffer of array 1 is null");
        EXPECT_EQ(error.rank, static_cast<int>(comm.size()) - 1);
        everywhere(weir_write(plan.get(), path.c_str(), 0, is_last ? nullptr : mine.data(), &error), WEIR_BAD_ARGUMENT,
                   "the buffer of array 0 is null");
        EXPECT_FALSE(std::filesystem::exists(path)) << "nothing was begun";
        comm.barrier();
        still_good(plan, arrays);
        everywhere(weir_read(plan.get(), path.c_str(), 0, mine.data(), &error), WEIR_BAD_ARGUMENT,
                   "the buffer of array 1 is null");
        on_root([&] { std::filesystem::remove(path); });
    });
}

TEST_F(BadInput, PlacesThatAreNoneOrDiffer) {
    Arrays arrays({rows()}, comm.rank());
    auto const plan = planned(arrays, "");
    auto* const* buffers = arrays.filled(1);
    auto const both = [&](char const* mine, std::int64_t from, weir_code code, std::string const& words) {
        everywhere(weir_write(plan.get(), mine, from, buffers, &error), code, words);
        everywhere(weir_read(plan.get(), mine, from, buffers, &error), code, words);
        everywhere(weir_write_at(plan.get(), mine, &from, buffers, &error), code, words);
        everywhere(weir_read_at(plan.get(), mine, &from, buffers, &error), code, words);
    };
    both(is_last ? nullptr : path.c_str(), 0, WEIR_BAD_ARGUMENT, "no file is named");
    both("", 0, WEIR_BAD_ARGUMENT, "no file is named");
    both(path.c_str(), is_last ? -1 : 0, WEIR_BAD_ARGUMENT, "a file has no byte -1");
    both(path.c_str(), std::numeric_limits<std::int64_t>::max() - 5, WEIR_BAD_ARGUMENT, "beyond");
    everywhere(weir_write_at(plan.get(), path.c_str(), is_last ? nullptr : std::array<std::int64_t, 1>{}.data(),
                             buffers, &error),
               WEIR_BAD_ARGUMENT, "");
    if (!alone) {
        auto const other = is_last ? path + "2" : path;
        both(other.c_str(), 0, WEIR_DISAGREE, path + "2");
        both(path.c_str(), is_last ? 8 : 0, WEIR_DISAGREE, "byte 8");
    }
    both((directory.path() / "nowhere" / "file").c_str(), 0, WEIR_IO, "No such file or directory");
    both(directory.path().c_str(), 0, WEIR_IO, "directory");
    EXPECT_FALSE(std::filesystem::exists(path));
    comm.barrier();
    still_good(plan, arrays);
}

TEST_F(BadInput, BoxesThatOverlapOrLeaveHolesAreReadAndNotWritten) {
    auto layout = rows();
    write_version_3(layout);

    // Each rank holds its rows and the one before; the first rank lacks its first row.
    layout.distribution = Distribution::boxes;
    auto const each = 96 / ranks;
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
        auto const start = rank == 0 ? 1 : rank * each - 1;
        layout.starts.push_back({{start, 0}});
        layout.counts.push_back({{(rank + 1) * each - start, 25}});
    }
    is_read_and_not_written(
        layout, "element (0, 0) of array 0 would not be written",
        "element (" + std::to_string(each - 1) + ", 0) of array 0 would be written twice (ranks 0 and 1 both hold it)");
}

TEST_F(BadInput, PiecesThatOverlapOrLeaveHolesAreReadAndNotWritten) {
    Layout layout;
    layout.ranks = comm.size();
    layout.shape = {1000};
    layout.element_bytes = 12;
    write_version_3(layout);
    layout.distribution = Distribution::pieces;
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
        // All ranks want elements 0 to 9, and every second one of the rest.
        layout.offsets.push_back({990 - 2 * rank, 0});
        layout.lengths.push_back({1, 10});
    }
    is_read_and_not_written(layout, "element (10) of array 0",
                            "element (0) of array 0 would be written twice (ranks 0 and 1");
}

TEST_F(BadInput, PlansOfOtherCommunicatorsAndOtherArrays) {
    Arrays arrays({rows()}, comm.rank());
    auto const plan = arrays.plan(comm.handle(), "", &error);
    auto one = rows();
    one.ranks = 1;
    one.grid = {1, 1};
    Arrays own({one}, 0);
    weir_error own_error{};
    auto const own_plan = own.plan(MPI_COMM_SELF, "", &own_error);
    ASSERT_TRUE(plan && own_plan);
    auto* const* source = arrays.filled(1);
    auto* const* target = own.cleared();
    if (!alone) {
        EXPECT_EQ(weir_redistribute(plan.get(), source, own_plan.get(), target, &error), WEIR_OTHER_COMM);
        EXPECT_EQ(weir_redistribute(own_plan.get(), target, plan.get(), source, &error), WEIR_OTHER_COMM);
    }
    auto other = rows();
    other.shape[0] -= 1;
    Arrays shorter({other}, comm.rank());
    auto const shorter_plan = shorter.plan(comm.handle(), "", &error);
    everywhere(weir_redistribute(plan.get(), source, shorter_plan.get(), shorter.cleared(), &error), WEIR_BAD_ARGUMENT,
               "the plans are of different arrays");
    Arrays same({rows()}, comm.rank());
    auto const same_plan = same.plan(comm.handle(), "", &error);
    std::vector<void*> const mine{is_last ? nullptr : same.cleared()[0]};
    everywhere(weir_redistribute(plan.get(), source, same_plan.get(), mine.data(), &error), WEIR_BAD_ARGUMENT,
               "the buffer of array 0 is null");
    ASSERT_TRUE(ok(weir_redistribute(plan.get(), source, same_plan.get(), same.cleared(), &error)));
    EXPECT_EQ(same.wrong(1), "");
}

TEST_F(BadInput, WhatAllRanksGetWrongHappenedOnNoneOfThem) {
    everywhere(make(rows(), "method=sideways"), WEIR_BAD_ARGUMENT, "sideways");
    EXPECT_EQ(error.rank, alone ? 0 : -1);
}

TEST_F(BadInput, AnOrderThatIsNone) {
    auto const layout = rows();
    weir_array* array = nullptr;
    EXPECT_EQ(weir_array_block(2, layout.shape.data(), nullptr, 8, 7, &array, &error), WEIR_BAD_ARGUMENT);
    EXPECT_TRUE(says("7 is no order (it is WEIR_C_ORDER or WEIR_FORTRAN_ORDER). Pass one of them."));
    everywhere(made_of({array}), WEIR_BAD_ARGUMENT, "7 is no order");
    array = testing::made(layout, comm.rank()).release();
    EXPECT_EQ(weir_array_memory_order(array, -1, &error), WEIR_BAD_ARGUMENT);
    everywhere(made_of({array}), WEIR_BAD_ARGUMENT, "-1 is no order");
}

TEST_F(BadInput, OptionsThatDifferOrAreNone) {
    everywhere(make(rows(), is_last ? "checksum=perhaps" : "checksum=yes"), WEIR_BAD_ARGUMENT, "perhaps");
    EXPECT_EQ(error.rank, static_cast<int>(comm.size()) - 1);
    EXPECT_EQ(make(rows(), is_last && !alone ? "method=gather" : ""), alone ? WEIR_OK : WEIR_DISAGREE) << error.message;
    EXPECT_TRUE(ok(make(rows(), "checksum=yes sync=no safe=off")));
}

TEST_F(BadInput, NowhereForARequestOnOneRank) {
    auto arrays = arrays_of(rows());
    auto const plan = planned(arrays, "");
    weir_request* request = nullptr;
    auto* const* buffers = arrays.filled(1);
    EXPECT_EQ(weir_write_start(plan.get(), path.c_str(), 0, buffers, is_last ? nullptr : &request, &error),
              WEIR_BAD_ARGUMENT);
    EXPECT_EQ(request, nullptr);
    EXPECT_TRUE(ok(write(plan, arrays)));
}

TEST_F(BadInput, APlanFreedBeforeItsDumpIsComplete) {
    for (auto const* options :
         {"method=two_phase window=2kB align=1B", "safe=yes checksum=yes", "method=independent"}) {
        SCOPED_TRACE(options);
        Arrays arrays({rows()}, comm.rank());
        auto plan = planned(arrays, options);
        weir_request* request = nullptr;
        ASSERT_TRUE(ok(weir_write_start(plan.get(), path.c_str(), 0, arrays.filled(1), &request, &error)));
        plan.reset();
        EXPECT_EQ(weir_test(request), 1);
        everywhere(weir_wait(request, &error), WEIR_BAD_ARGUMENT, "its plan was freed");
    }
}

}  // namespace
}  // namespace weir::testing
