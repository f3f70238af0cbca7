#include "sim/simulation_json.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "core/json.hpp"

namespace weir::sim {
namespace {

Json least() {
    return {{"name", "least"},
            {"nodes", {{"count", 2}, {"ranks", 4}, {"copy_bytes_per_s", 100}}},
            {"network", {{"latency_s", 0.5}, {"link_bytes_per_s", 10}}},
            {"storage",
             {{"stripe_bytes", 64},
              {"targets", {{"count", 1}, {"request_s", 0.25}}},
              {"metadata", {{"open_s", 3}}},
              {"locks", {{"unit", "stripe"}}}}}};
}

TEST(MachineFromJson, WhatIsMissingFollowsFromWhatIsGiven) {
    auto const machine = machine_from_json(least());
    EXPECT_EQ(machine.nodes.copy_together, 400);
    EXPECT_EQ(machine.network.bandwidth, 10);
    EXPECT_EQ(machine.network.latency_within, 0.5);
    EXPECT_EQ(machine.network.bandwidth_within, 100);
    EXPECT_EQ(machine.network.bisection, unlimited);
    EXPECT_EQ(machine.storage.client, 10);
    EXPECT_EQ(machine.storage.request, 64U);
    EXPECT_EQ(machine.storage.targets.request_read, 0.25);
    EXPECT_EQ(machine.storage.metadata.create, 3);
    EXPECT_EQ(machine.storage.metadata.remove, 3);
    EXPECT_EQ(machine.storage.metadata.rename, 3);
    EXPECT_EQ(machine.storage.metadata.close, 0);
    EXPECT_EQ(machine.storage.locks.unit, LockUnit::bytes);
    EXPECT_EQ(machine.storage.locks.bytes, 0U) << "a stripe, also where a run asks for others";
}

TEST(MachineFromJson, TimesForSizesAreThoseOfAMessageEachWayToo) {
    auto machine = least();
    machine["network"]["one_within_points"] = Json::array({{8, 0.5}, {1024, 2}});
    auto const network = machine_from_json(machine).network;
    EXPECT_EQ(network.one_within(8 + 508), 1.25);
    EXPECT_EQ(network.both_within(0), 0.5);
    EXPECT_EQ(network.fresh_within(1 << 20), 0);
    for (auto const& wrong : {Json::array({{8, 0.5}, {8, 2}}), Json::array({{8, -1}}), Json::array({8, 9})}) {
        machine["network"]["one_within_points"] = wrong;
        EXPECT_THROW(static_cast<void>(machine_from_json(machine)), Error);
    }
}

TEST(MachineFromJson, RefusesWhatCannotBe) {
    auto machine = least();
    machine["network"]["link_bytes_per_s"] = 0;
    EXPECT_THROW(static_cast<void>(machine_from_json(machine)), Error);
    machine = least();
    machine["storage"]["stripe_bytes"] = 0;
    EXPECT_THROW(static_cast<void>(machine_from_json(machine)), Error);
    machine = least();
    machine["storage"]["targets"]["request_s"] = -1;
    EXPECT_THROW(static_cast<void>(machine_from_json(machine)), Error);
    machine = least();
    machine["network"]["bisection_bytes_per_s"] = nullptr;
    EXPECT_EQ(machine_from_json(machine).network.bisection, unlimited);
}

}  // namespace
}  // namespace weir::sim
