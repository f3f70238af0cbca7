// What the planner sees, and what it says.

#include <gtest/gtest.h>

#include <fstream>

#include "array/layout/description.hpp"
#include "array/planner/survey.hpp"
#include "support/arrays/array_fixture.hpp"
#include "support/failures/file_size_limit.hpp"
#include "support/skip.hpp"

namespace weir::testing {
namespace {

using array::PlanOptions;
using array::Storage;

class Planner : public ArrayFixture {
  protected:
    [[nodiscard]] Arrays cube(std::int64_t n) const { return arrays_of(blocks({n, n, n})); }

    std::string explained(std::string const& options) {
        auto const arrays = cube(16);
        auto const plan = arrays.plan(comm.handle(), options, &error);
        return plan ? weir_plan_explain(plan.get()) : error.message;
    }

    std::string written(char const* name, std::string const& text) {
        auto const file = (directory.path() / name).string();
        on_root([&] { std::ofstream(file) << text; });
        return file;
    }
};

array::PlanFacts surveyed(Communicator const& comm, Communicator const& node, array::Arrays const& arrays,
                          PlanOptions const& options) {
    FirstFailure failure;
    auto facts = array::survey(comm, node, arrays, options, failure);
    failure.agree(comm);
    return facts;
}

TEST_F(Planner, TakesAsManyWritersAsAreAskedForAlsoWhereRowsWouldExchangeAlone) {
    WEIR_SKIP_IF(comm.size() != 4) << "for 4 ranks: two rows of two";
    auto arrays = arrays_of(blocks({12, 8, 64}, {2, 2, 1}));
    for (auto const writers : {1U, 2U, 3U, 4U}) {
        auto const options =
            "method=two_phase target=4KiB align=1B window=1KiB sync=no writers=" + std::to_string(writers);
        auto const plan = planned(arrays, options);
        ASSERT_TRUE(ok(write(plan, arrays)));
        weir_times times;
        weir_plan_times(plan.get(), &times);
        EXPECT_EQ(comm.sum(std::uint64_t{times.requests > 0 ? 1U : 0U}), writers);
    }
}

TEST_F(Planner, SurveysWhatAllRanksHold) {
    std::int64_t const shape[] = {64, 64, 64};
    std::int64_t const grid[] = {1, 1, ranks};
    array::Arrays const arrays({array::describe_blocks(3, shape, nullptr, grid, 8, WEIR_C_ORDER)});
    PlanOptions options;
    auto const facts = surveyed(comm, comm.node(), arrays, options);
    EXPECT_EQ(facts.ranks, comm.size());
    EXPECT_EQ(facts.nodes, 1U);
    EXPECT_GE(facts.cores, 1U);
    EXPECT_EQ(facts.write.bytes, 64U * 64U * 64U * 8U);
    EXPECT_EQ(facts.write.runs, comm.size() == 1 ? 1 : 64 * 64 * comm.size());
    EXPECT_EQ(facts.write.most_runs, facts.write.runs / comm.size());
    EXPECT_EQ(facts.read.runs, facts.write.runs);
    EXPECT_EQ(facts.file_system.type, 0U) << "nobody asked to look";

    auto const everybody_a_node = surveyed(comm, comm.node().split(comm.rank()), arrays, options);
    EXPECT_EQ(everybody_a_node.nodes, comm.size());
    EXPECT_EQ(everybody_a_node.group_run_bytes, 0U);
}

TEST_F(Planner, SeesWhatANodesRanksHoldTogether) {
    WEIR_SKIP_IF(comm.size() != 4) << "for 4 ranks";
    std::int64_t const shape[] = {8, 8, 64};
    std::int64_t const grid[] = {2, 1, 2};
    array::Arrays const arrays({array::describe_blocks(3, shape, nullptr, grid, 8, WEIR_C_ORDER)});
    auto const facts = surveyed(comm, comm.node().split(comm.rank() / 2), arrays, PlanOptions{});
    EXPECT_EQ(facts.nodes, 2U);
    EXPECT_EQ(facts.write.run_bytes(), 32U * 8U);
    EXPECT_EQ(facts.group_run_bytes, 4U * 8U * 64U * 8U) << "half of the array in one piece";
}

TEST_F(Planner, SeesThatReplicatedArraysAreReadByAll) {
    array::Arrays const arrays({array::describe_replicated(100, 8)});
    auto const facts = surveyed(comm, comm.node(), arrays, PlanOptions{});
    EXPECT_EQ(facts.write.bytes, 800U);
    EXPECT_EQ(facts.read.bytes, 800U * comm.size());
    EXPECT_TRUE(facts.two_shares);
}

TEST_F(Planner, LooksAtTheDirectory) {
    auto const name = array::look_at(directory.path().string()).name();
    EXPECT_TRUE(has(explained("directory=" + directory.path().string()), "(" + name));
    auto const refused = [&](std::string const& place) {
        weir_plan* plan = nullptr;
        weir_error error{};
        auto const array = testing::array_by(weir_array_replicated, std::int64_t{4}, std::size_t{8});
        auto* const one = array.get();
        EXPECT_EQ(weir_plan_make(comm.handle(), 1, &one, ("directory=" + place).c_str(), &plan, &error),
                  WEIR_BAD_ARGUMENT);
        return std::string(error.message);
    };
    EXPECT_EQ(refused("/no/such/place"),
              "the option directory=/no/such/place names no directory (No such file or "
              "directory). Name the one that the dumps are written to, or leave the option "
              "out.");
    EXPECT_TRUE(has(explained(""), "file system not known"));
}

TEST_F(Planner, CalculatesWithTheProfile) {
    auto const dear = written("dear", R"({"weir_profile": 1, "array": {"write": {"request_s": 1}}})");
    auto const cheap = written("cheap", R"({"weir_profile": 1, "array": {"write": {"request_s": 1e-15},
                                            "read": {"request_s": 1e-15}, "copy_bytes_per_s": 1}})");
    EXPECT_EQ(explained("profile=" + cheap).find("independent"), 0U);
    EXPECT_TRUE(has(explained("profile=" + cheap), cheap));
    if (comm.size() > 1) {
        EXPECT_EQ(explained("profile=" + dear).find("two-phase"), 0U);
    }
}

TEST_F(Planner, RefusesAProfileThatIsNone) {
    auto const bad = written("bad", "[1, 2");
    EXPECT_TRUE(has(explained("profile=" + bad), "cannot be used: it is no machine profile"));
    EXPECT_EQ(error.code, WEIR_BAD_ARGUMENT);
    EXPECT_TRUE(has(explained("profile=/no/such/profile"), "cannot read the machine profile"));
    EXPECT_EQ(error.code, WEIR_BAD_ARGUMENT);
}

TEST_F(Planner, SaysThatAPlanToldToMeasureDidNot) {
    auto const asked = explained("measure=yes directory=" + directory.path().string());
    EXPECT_TRUE(has(asked, "; nothing was measured: measure= has no effect any more"));
    EXPECT_EQ(asked.find(explained("directory=" + directory.path().string())), 0U) << "the choice by estimates";
    EXPECT_EQ(directory.entries(), 0);
}

}  // namespace
}  // namespace weir::testing
