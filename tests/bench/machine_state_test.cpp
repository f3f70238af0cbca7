#include "bench/machine_state.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include "core/json.hpp"

namespace weir {
namespace {

TEST(MachineState, OfOneCoreIsNullWithTheReason) {
    ::setenv("HWLOC_SYNTHETIC", "core:1 pu:4096", 1);
    auto const line = MachineState(Communicator(), [](CpuPair) { return HandOff{50, ""}; }).line();
    ::unsetenv("HWLOC_SYNTHETIC");
    EXPECT_TRUE(line.at("handoff_ns").is_null());
    EXPECT_TRUE(line.at("cpus").is_null());
    EXPECT_NE(line.at("why").get<std::string>().find("one core"), std::string::npos);
}

}  // namespace
}  // namespace weir
