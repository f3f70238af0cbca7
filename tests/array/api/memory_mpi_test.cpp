// What a plan costs: memory as far as it was allowed, and nothing that grows with the dumps.

#include <gtest/gtest.h>

#include "support/arrays/array_fixture.hpp"

namespace weir::testing {
namespace {

class Memory : public ArrayFixture {
  protected:
    [[nodiscard]] Layout cube(std::int64_t n) const { return blocks({n, n, n}); }

    static constexpr std::array ways{"method=two_phase",
                                     "method=gather",
                                     "method=grouped group=2",
                                     "method=two_phase writers=1",
                                     "method=two_phase exchange=messages",
                                     "method=gather exchange=messages",
                                     "method=two_phase writers=1 readers=2",
                                     "method=two_phase node_size=2",
                                     "method=two_phase async=yes",
                                     "method=two_phase thread=yes",
                                     "method=two_phase target=1B",
                                     "method=independent"};
};

TEST_F(Memory, OfAPlanIsWithinItsBound) {
    Layout header;
    header.ranks = comm.size();
    header.distribution = Distribution::replicated;
    header.shape = {100};
    Arrays cubes({cube(40)}, comm.rank());
    Arrays cube_and_header({header, cube(40)}, comm.rank());
    for (auto const* way : ways) {
        for (auto* both : {&cubes, &cube_and_header}) {
            auto& arrays = *both;
            SCOPED_TRACE(way);
            auto const plan = planned(arrays, std::string(way) + " memory=200KiB sync=no");
            there_and_back(plan, arrays, 1);
            EXPECT_LE(weir_plan_memory(plan.get()), 200 * 1024 * 105 / 100);
        }
    }
}

TEST_F(Memory, ThatDoesNotSufficeIsRefusedWithTheLeastThatDoes) {
    Arrays arrays({cube(40)}, comm.rank());
    for (auto const* way : ways) {
        SCOPED_TRACE(way);
        auto const options = std::string(way) + " sync=no memory=";
        ASSERT_FALSE(arrays.plan(comm.handle(), options + "1B", &error));
        EXPECT_EQ(error.code, WEIR_BAD_ARGUMENT);
        std::string const message = error.message;
        std::string const advice = "Give memory=";
        auto const least = std::stol(message.substr(message.find(advice) + advice.size()));
        EXPECT_EQ(message.substr(0, message.find(" (")), "this plan cannot keep to 1 B of memory");
        for (auto const kib : {least, least + 1, 2 * least}) {
            auto const plan = planned(arrays, options + std::to_string(kib) + "KiB");
            EXPECT_LE(weir_plan_memory(plan.get()), kib * 1024 * 105 / 100);
            there_and_back(plan, arrays, 1);
        }
    }
}

TEST_F(Memory, IsWithinItsBoundWhereOneRankSendsAllOfARound) {
    // Each aggregator's part begins with rows of rank 0, then come those of rank 1, and so on.
    auto layout = cube(16);
    layout.shape = {8 * ranks, 64 * ranks, 32};
    layout.grid = {1, ranks, 1};
    Arrays arrays({layout}, comm.rank());
    for (auto const* way : {"method=two_phase exchange=messages", "method=two_phase node_size=1", "method=gather"}) {
        SCOPED_TRACE(way);
        auto const plan = planned(arrays, std::string(way) + " target=1GiB memory=256KiB sync=no");
        EXPECT_LE(weir_plan_memory(plan.get()), 256 * 1024 * 105 / 100) << weir_plan_explain(plan.get());
        there_and_back(plan, arrays, 1);
    }
}

TEST_F(Memory, OfAPlanDoesNotDependOnTheArraysSize) {
    auto const bytes_of_plan = [&](std::int64_t n, Indices const& grid, std::string const& options) {
        auto const array = made(blocks({n, n, n}, grid), comm.rank());
        return weir_plan_memory(plan_for({array.get()}, options).get());
    };
    for (auto const& grid : {Indices{}, Indices{ranks, 1, 1}, Indices{1, 1, ranks}}) {
        auto const bytes = bytes_of_plan(1024, grid, "method=two_phase memory=1MiB");
        EXPECT_LE(std::abs(bytes_of_plan(8192, grid, "method=two_phase memory=1MiB") - bytes), 4096);
    }
    auto const bytes = bytes_of_plan(100, {}, "method=two_phase window=64KiB");
    EXPECT_LE(std::abs(bytes_of_plan(1000, {}, "method=two_phase window=64KiB") - bytes), 4096);
}

}  // namespace
}  // namespace weir::testing
