#include "comm/launch_check.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/json.hpp"

namespace weir {
namespace {

/// Each rank on a core of its own, as hwloc sees it: two nodes of one package with two cores.
LaunchFacts healthy() {
    LaunchFacts facts;
    facts.ranks = 4;
    facts.nodes = {{"a", 2, {2, 1}}, {"b", 2, {2, 1}}};
    facts.placement = {{0, "a", "0", {1, 1}}, {1, "a", "1", {1, 1}}, {2, "b", "0", {1, 1}}, {3, "b", "1", {1, 1}}};
    facts.mpi_spins = true;
    return facts;
}

/// Two ranks on one node, each of them with these CPUs.
LaunchFacts two_ranks(Coverage const& node, std::string const& cpus, Coverage const& rank) {
    LaunchFacts facts;
    facts.ranks = 2;
    facts.nodes = {{"a", 2, node}};
    facts.placement = {{0, "a", cpus, rank}, {1, "a", cpus, rank}};
    return facts;
}

bool warns(std::vector<Warning> const& warnings, std::string const& code) {
    return std::any_of(warnings.begin(), warnings.end(),
                       [&](auto const& w) { return w.code == code && !w.advice.empty(); });
}

TEST(RefuseBrokenLaunch, FindsRanksThatBelieveToBeAlone) {
    EXPECT_THROW(refuse_broken_launch(1, 2, {}), Error);
    EXPECT_THROW(refuse_broken_launch(1, {}, {4, {}, {}}), Error);
    EXPECT_THROW(refuse_broken_launch(2, 2, {4, {}, {}}), Error);
    EXPECT_NO_THROW(refuse_broken_launch(1, 1, {}));
    EXPECT_NO_THROW(refuse_broken_launch(1, {}, {}));
    EXPECT_NO_THROW(refuse_broken_launch(4, 4, {4, {}, {}}));
}

LaunchExpectation on_nodes(std::uint64_t nodes, std::uint64_t ranks_per_node) {
    return {nodes * ranks_per_node, nodes, Binding::any, ranks_per_node};
}

TEST(RefuseMisplacedLaunch, ComparesNodesAndTheRanksOfEach) {
    EXPECT_NO_THROW(refuse_misplaced_launch(healthy(), {}));
    EXPECT_NO_THROW(refuse_misplaced_launch(healthy(), on_nodes(2, 2)));
    EXPECT_THROW(refuse_misplaced_launch(healthy(), on_nodes(1, 4)), Error);
    EXPECT_THROW(refuse_misplaced_launch(healthy(), on_nodes(4, 1)), Error);
    auto uneven = healthy();
    uneven.nodes[0].ranks = 3;
    uneven.nodes[1].ranks = 1;
    EXPECT_THROW(refuse_misplaced_launch(uneven, on_nodes(2, 2)), Error);
    EXPECT_NO_THROW(refuse_misplaced_launch(uneven, {4, 2, Binding::any, {}}));
}

TEST(JudgeLaunch, IsSilentOnAHealthyOne) { EXPECT_TRUE(judge_launch(healthy(), {4, 2, Binding::core}).empty()); }

TEST(JudgeLaunch, SeesClocksOfNodesThatAreApart) {
    auto facts = healthy();
    facts.nodes[1].clock_ahead_s = 0.9;
    EXPECT_FALSE(warns(judge_launch(facts, {}), "clocks"));
    facts.nodes[0].clock_ahead_s = -239.1;
    auto const warnings = judge_launch(facts, {});
    ASSERT_TRUE(warns(warnings, "clocks"));
    EXPECT_EQ(warnings.front().problem, "the time of day on b is 240 s ahead of that on a");
}

TEST(JudgeLaunch, SeesMoreRanksThanCores) {
    auto facts = healthy();
    facts.nodes[1].ranks = 3;
    EXPECT_TRUE(warns(judge_launch(facts, {}), "oversubscribed"));
    EXPECT_TRUE(warns(judge_launch(facts, {}), "spinning"));
    facts.mpi_spins = false;
    EXPECT_FALSE(warns(judge_launch(facts, {}), "spinning"));
    facts.mpi_spins.reset();
    EXPECT_TRUE(warns(judge_launch(facts, {}), "spinning"));
}

TEST(JudgeLaunch, CountsCoresRatherThanHardwareThreads) {
    EXPECT_TRUE(warns(judge_launch(two_ranks({1, 1}, "0,4", {1, 1}), {}), "oversubscribed"))
        << "two ranks on both threads of one core";
    EXPECT_TRUE(judge_launch(two_ranks({2, 1}, "0,4", {1, 1}), {2, 1, Binding::core}).empty())
        << "a core with two threads is one core";
}

TEST(JudgeLaunch, HoldsNothingAgainstWhatIsUnknown) {
    auto const facts = two_ranks({}, "", {});
    for (auto const binding : {Binding::any, Binding::core, Binding::socket, Binding::none}) {
        EXPECT_TRUE(judge_launch(facts, {2, 1, binding}).empty());
    }
}

TEST(JudgeLaunch, SeesABusyMachine) {
    auto facts = healthy();
    EXPECT_FALSE(warns(judge_launch(facts, {}), "busy")) << "unknown";
    facts.busy_cores = 0.1;
    EXPECT_FALSE(warns(judge_launch(facts, {}), "busy"));
    facts.busy_cores = 1.2;
    EXPECT_TRUE(warns(judge_launch(facts, {}), "busy"));
}

TEST(JudgeLaunch, SeesRanksThatAreNotBoundToACore) {
    auto const facts = two_ranks({2, 1}, "0-1", {2, 1});
    EXPECT_TRUE(warns(judge_launch(facts, {2, 1, Binding::core}), "placement"));
    EXPECT_FALSE(warns(judge_launch(facts, {2, 1, Binding::any}), "placement"));
}

TEST(JudgeLaunch, SeesOneRankThatIsNotBoundToACore) {
    auto facts = healthy();
    facts.placement[3].covers = {2, 1};
    EXPECT_TRUE(warns(judge_launch(facts, {4, 2, Binding::core}), "placement"));
}

TEST(JudgeLaunch, SeesRanksThatAreNotBoundToASocket) {
    LaunchExpectation const asked{2, 1, Binding::socket};
    EXPECT_FALSE(warns(judge_launch(two_ranks({8, 2}, "0-3", {4, 1}), asked), "placement"));
    EXPECT_TRUE(warns(judge_launch(two_ranks({8, 2}, "0-7", {8, 2}), asked), "placement")) << "not bound";
    EXPECT_TRUE(warns(judge_launch(two_ranks({8, 2}, "0-1", {2, 1}), asked), "placement")) << "bound to less";
    EXPECT_FALSE(warns(judge_launch(two_ranks({2, 2}, "0", {1, 1}), asked), "placement")) << "sockets of one core each";
    auto unequal = two_ranks({5, 2}, "0-3", {4, 1});
    unequal.placement[1].covers = {1, 1};
    EXPECT_FALSE(warns(judge_launch(unequal, asked), "placement")) << "an allocation of 4 cores and 1";
}

TEST(JudgeLaunch, SeesRanksThatAreBoundThoughNotAsked) {
    LaunchExpectation const asked{2, 1, Binding::none};
    EXPECT_FALSE(warns(judge_launch(two_ranks({8, 2}, "0-7", {8, 2}), asked), "placement"));
    EXPECT_TRUE(warns(judge_launch(two_ranks({8, 2}, "0-3", {4, 1}), asked), "placement")) << "to a socket";
    EXPECT_TRUE(warns(judge_launch(healthy(), {4, 2, Binding::none}), "placement")) << "to a core";
}

TEST(LaunchFacts, WriteNullForWhatIsUnknown) {
    auto facts = two_ranks({}, "0", {});
    auto json = to_json(facts);
    EXPECT_TRUE(json["load"]["busy_cores"].is_null());
    EXPECT_TRUE(json["nodes"][0]["cores"].is_null());
    EXPECT_TRUE(json["placement"][0]["cores"].is_null());
    facts = two_ranks({4, 2}, "0,4", {1, 1});
    facts.busy_cores = 0.5;
    json = to_json(facts);
    EXPECT_EQ(json["load"]["busy_cores"], 0.5);
    EXPECT_EQ(json["nodes"][0]["cores"], 4);
    EXPECT_EQ(json["placement"][1], (Json{{"rank", 1}, {"host", "a"}, {"cpus", "0,4"}, {"cores", 1}, {"packages", 1}}));
}

}  // namespace
}  // namespace weir
