#include "bench/machine_state.hpp"

#include <gtest/gtest.h>

#include "core/json.hpp"
#include "core/proc.hpp"

namespace weir {
namespace {

struct MachineStateOnRanks : ::testing::Test {
    void SetUp() override {
        if (!cpus_of_two_cores({bindable_cpus()})) {
            GTEST_SKIP() << "one core";
        }
    }

    /// The line if the measurement gives this; `measured` counts calls on this rank.
    Json line(HandOff const& given) {
        return MachineState(comm,
                            [&](CpuPair) {
                                ++measured;
                                return given;
                            })
            .line();
    }

    Communicator const comm = Communicator::world();
    std::uint64_t measured = 0;
};

TEST_F(MachineStateOnRanks, IsMeasuredOncePerNodeAndToldToAll) {
    auto const told = line({56.5, ""});
    EXPECT_EQ(comm.sum(measured), 1U) << "all ranks of this test share a node";
    EXPECT_EQ(told.at("handoff_ns"), (Json{{"max", 56.5}, {"min", 56.5}, {"nodes", 1}}));
    EXPECT_TRUE(told.at("why").is_null());
    EXPECT_EQ(told.at("schema"), 1);
    EXPECT_EQ(told.at("kind"), "state");
}

TEST_F(MachineStateOnRanks, NamesTheTwoCpus) {
    auto const cpus = line({56.5, ""}).at("cpus");
    if (comm.is_root()) {
        ASSERT_EQ(cpus.size(), 2U);
        EXPECT_NE(cpus[0], cpus[1]);
    }
}

TEST_F(MachineStateOnRanks, IsNullWithTheReasonWhereItCannotBeMeasured) {
    auto const told = line({{}, "the CPUs were busy"});
    EXPECT_TRUE(told.at("handoff_ns").is_null());
    EXPECT_EQ(told.at("why"), "the CPUs were busy");
}

TEST_F(MachineStateOnRanks, CanBeMeasuredHereOrSaysWhyNot) {
    auto const told = MachineState(comm).line();
    EXPECT_NE(told.at("handoff_ns").is_null(), told.at("why").is_null());
}

}  // namespace
}  // namespace weir
