// Memory that runs out on one rank, at any allocation of a collective call: all ranks return the same code and message,
// none waits, and the plan is as good as before. Every allocation is made to fail once, alone and with all after it.

#include <gtest/gtest.h>

#include "support/failures/failing_memory.hpp"

namespace weir::testing {
namespace {

constexpr std::array plans{
    "method=independent sync=no",
    "method=gather window=2kB align=1B sync=no",
    "method=grouped group=2 window=2kB align=1B sync=no exchange=messages",
    "method=two_phase window=2kB align=1B sync=no",
    "method=two_phase window=2kB align=1B sync=no exchange=messages",
    "method=two_phase window=2kB align=1B sync=no node_size=2 thread=yes",
    "method=two_phase target=1kB align=1B safe=yes checksum=yes",
};

class FailingMemoryOnOneRank : public FailingMemoryTest<char const*> {
  protected:
    /// Blocks, and boxes that only the ranks together know.
    [[nodiscard]] std::vector<Layout> layouts() const {
        auto const rows = blocks({48, 25}, {1, ranks});
        if (std::string(GetParam()).find("target") != std::string::npos) {
            return {rows};
        }
        std::mt19937_64 random{comm.size()};
        Layout boxes = rows;
        boxes.distribution = Distribution::boxes;
        boxes.grid.clear();
        boxes.starts.resize(comm.size());
        boxes.counts.resize(comm.size());
        deal_boxes(random, boxes, {0, 0}, boxes.shape);
        return {rows, boxes};
    }

    /// Each time another allocation of the last rank fails.
    template <class Call>
    void sweep(Call call) {
        weir::testing::sweep(comm, is_last, error, call);
    }
};

TEST_P(FailingMemoryOnOneRank, LeavesNoRankWaitingForAPlan) {
    std::vector<ArrayHandle> handles;
    std::vector<weir_array*> arrays;
    for (auto const& layout : layouts()) {
        handles.push_back(made(layout, comm.rank()));
        arrays.push_back(handles.back().get());
    }
    sweep([&] {
        weir_plan* plan = nullptr;
        auto const code =
            weir_plan_make(comm.handle(), static_cast<int>(arrays.size()), arrays.data(), GetParam(), &plan, &error);
        EXPECT_EQ(plan != nullptr, code == WEIR_OK);
        weir_plan_free(plan);
        return code;
    });
}

TEST_P(FailingMemoryOnOneRank, LeavesNoRankWaitingInADump) {
    Arrays arrays(layouts(), comm.rank());
    auto const plan = planned(arrays, GetParam());
    auto const* const filled = arrays.filled(1);
    sweep([&] { return weir_write(plan.get(), path.c_str(), 0, filled, &error); });
    sweep([&] {
        weir_request* request = nullptr;
        auto const code = weir_write_start(plan.get(), path.c_str(), 0, filled, &request, &error);
        return code == WEIR_OK ? weir_wait(request, &error) : code;
    });
    ASSERT_TRUE(ok(weir_write(plan.get(), path.c_str(), 0, filled, &error)));
    auto const* const cleared = arrays.cleared();
    sweep([&] { return weir_read(plan.get(), path.c_str(), 0, cleared, &error); });
    EXPECT_EQ(arrays.wrong(1), "");
}

TEST_P(FailingMemoryOnOneRank, LeavesNoRankWaitingInARedistribution) {
    Arrays from(layouts(), comm.rank());
    auto turned = layouts();
    std::ranges::reverse(turned.front().grid);
    Arrays to(turned, comm.rank());
    auto const source = from.plan(comm.handle(), GetParam(), &error);
    auto const target = to.plan(comm.handle(), GetParam(), &error);
    ASSERT_TRUE(source && target) << error.message;
    auto const* const filled = from.filled(1);
    auto const* const cleared = to.cleared();
    sweep([&] { return weir_redistribute(source.get(), filled, target.get(), cleared, &error); });
    EXPECT_EQ(to.wrong(1), "");
}

INSTANTIATE_TEST_SUITE_P(AllWays, FailingMemoryOnOneRank, ::testing::ValuesIn(plans));

}  // namespace
}  // namespace weir::testing
