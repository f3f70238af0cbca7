// What a plan costs: memory as far as it was allowed, and nothing that grows with the dumps.

#include <gtest/gtest.h>

#include "comm/communicator.hpp"
#include "support/array_case.hpp"
#include "support/temporary_directory.hpp"

namespace weir::testing {
namespace {

class Memory : public ::testing::Test {
  protected:
    [[nodiscard]] Layout cube(std::int64_t n) const {
        Layout layout;
        layout.ranks = comm.size();
        layout.shape = {n, n, n};
        layout.element_bytes = 8;
        return layout;
    }

    Communicator const comm = Communicator::duplicate(MPI_COMM_WORLD);
    TemporaryDirectory const directory{comm};
    std::string const path = directory.path() / "file";
    weir_error error{};
};

TEST_F(Memory, OfAPlanIsWithinItsBound) {
    Layout header;
    header.ranks = comm.size();
    header.distribution = Distribution::replicated;
    header.shape = {100};
    Arrays cubes({cube(40)}, comm.rank());
    Arrays cube_and_header({header, cube(40)}, comm.rank());
    for (auto const* way : {"method=two_phase", "method=gather", "method=grouped group=2", "method=two_phase writers=1",
                            "method=two_phase exchange=messages", "method=gather exchange=messages",
                            "method=two_phase writers=1 readers=2", "method=two_phase node_size=2",
                            "method=two_phase async=yes", "method=two_phase thread=yes"}) {
        for (auto* both : {&cubes, &cube_and_header}) {
            auto& arrays = *both;
            SCOPED_TRACE(way);
            auto const plan = arrays.plan(comm.handle(), std::string(way) + " memory=100KiB sync=no", &error);
            ASSERT_TRUE(plan) << error.message;
            ASSERT_EQ(weir_write(plan.get(), path.c_str(), 0, arrays.filled(1), &error), WEIR_OK) << error.message;
            ASSERT_EQ(weir_read(plan.get(), path.c_str(), 0, arrays.cleared(), &error), WEIR_OK) << error.message;
            EXPECT_EQ(arrays.wrong(1), "");
            // What it knows of other ranks comes on top: some hundred bytes each.
            EXPECT_LE(weir_plan_memory(plan.get()), 100 * 1024 * 105 / 100 + 4096 * static_cast<int>(comm.size()));
        }
    }
}

TEST_F(Memory, IsWithinItsBoundWhereOneRankSendsAllOfARound) {
    // Each aggregator's part begins with rows of rank 0, then come those of rank 1, and so on.
    auto layout = cube(16);
    auto const ranks = static_cast<std::int64_t>(comm.size());
    layout.shape = {8 * ranks, 64 * ranks, 32};
    layout.grid = {1, ranks, 1};
    Arrays arrays({layout}, comm.rank());
    for (auto const* way : {"method=two_phase exchange=messages", "method=two_phase node_size=1", "method=gather"}) {
        SCOPED_TRACE(way);
        auto const plan = arrays.plan(comm.handle(), std::string(way) + " target=1GiB memory=256KiB sync=no", &error);
        ASSERT_TRUE(plan) << error.message;
        EXPECT_LE(weir_plan_memory(plan.get()), 256 * 1024 * 105 / 100) << weir_plan_explain(plan.get());
        ASSERT_EQ(weir_write(plan.get(), path.c_str(), 0, arrays.filled(1), &error), WEIR_OK) << error.message;
        ASSERT_EQ(weir_read(plan.get(), path.c_str(), 0, arrays.cleared(), &error), WEIR_OK) << error.message;
        EXPECT_EQ(arrays.wrong(1), "");
    }
}

TEST_F(Memory, OfAPlanDoesNotDependOnTheArraysSize) {
    std::vector<std::int64_t> bytes;
    for (std::int64_t const n : {100, 1000}) {
        auto const layout = cube(n);
        auto const array = made(layout, comm.rank());
        auto* const handle = array.get();
        weir_plan* plan = nullptr;
        ASSERT_EQ(weir_plan_make(comm.handle(), 1, &handle, "method=two_phase window=64KiB", &plan, &error), WEIR_OK);
        bytes.push_back(weir_plan_memory(plan));
        weir_plan_free(plan);
    }
    // The windows of an aggregator are known one by one: a byte and some bits for each.
    EXPECT_LE(bytes[1] - bytes[0], 8'000'000'000 / 65536 * 2 + 4096);
}

}  // namespace
}  // namespace weir::testing
