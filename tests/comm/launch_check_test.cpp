#include "comm/launch_check.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.hpp"

namespace weir {
namespace {

LaunchFacts healthy() {
    LaunchFacts facts;
    facts.ranks = 4;
    facts.nodes = {{"a", 2, 2}, {"b", 2, 2}};
    facts.placement = {{0, "a", "0", 1}, {1, "a", "1", 1}, {2, "b", "0", 1}, {3, "b", "1", 1}};
    facts.mpi_spins = true;
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

TEST(JudgeLaunch, IsSilentOnAHealthyOne) { EXPECT_TRUE(judge_launch(healthy(), {4, 2, Binding::core}).empty()); }

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

TEST(JudgeLaunch, SeesABusyMachine) {
    auto facts = healthy();
    facts.busy_cores = 0.1;
    EXPECT_FALSE(warns(judge_launch(facts, {}), "busy"));
    facts.busy_cores = 1.2;
    EXPECT_TRUE(warns(judge_launch(facts, {}), "busy"));
}

TEST(JudgeLaunch, SeesRanksPlacedOtherwiseThanAsked) {
    EXPECT_TRUE(warns(judge_launch(healthy(), {4, 4, Binding::any}), "placement"));
    EXPECT_TRUE(warns(judge_launch(healthy(), {4, 2, Binding::none}), "placement"));
    auto unbound = healthy();
    for (auto& p : unbound.placement) {
        p.cpus = "0-1";
        p.cpu_count = 2;
    }
    EXPECT_TRUE(warns(judge_launch(unbound, {4, 2, Binding::core}), "placement"));
    EXPECT_FALSE(warns(judge_launch(unbound, {4, 2, Binding::none}), "placement"));
}

}  // namespace
}  // namespace weir
