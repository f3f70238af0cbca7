#include "core/handoff.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sched.h>

#include <thread>

#include "core/proc.hpp"

namespace weir {
namespace {

bool is_time_or_reason(HandOff const& found) { return found.one_way_ns.has_value() == found.why.empty(); }

TEST(HandOff, HasATimeOrAReason) {
    auto const cpus = cpus_of_two_cores({bindable_cpus()});
    if (!cpus) {
        GTEST_SKIP() << "one core";
    }
    auto const found = measure_hand_off(*cpus);
    EXPECT_TRUE(is_time_or_reason(found)) << found.why;
    EXPECT_GT(found.one_way_ns.value_or(1), 0);
}

TEST(HandOff, LeavesTheCallersBinding) {
    auto const before = allowed_cpus();
    (void)measure_hand_off(cpus_of_two_cores({bindable_cpus()}).value_or(CpuPair{0, 1}));
    EXPECT_EQ(allowed_cpus(), before);
}

TEST(HandOff, SaysWhichCpuCannotBeUsedAndEnds) {
    auto const usable = static_cast<unsigned>(sched_getcpu());
    for (auto const lacking : {1'000'000U, CPU_SETSIZE - 1U}) {
        if (lacking == usable || lacking < std::thread::hardware_concurrency()) {
            continue;
        }
        for (auto const& cpus : {CpuPair{usable, lacking}, CpuPair{lacking, usable}}) {
            auto const found = measure_hand_off(cpus);
            EXPECT_FALSE(found.one_way_ns);
            EXPECT_NE(found.why.find(fmt::format("CPU {}", lacking)), std::string::npos) << found.why;
        }
    }
}

TEST(HandOff, EndsWithoutATimeWhereThreadsShareACpu) {
    auto const cpu = static_cast<unsigned>(sched_getcpu());
    auto const found = measure_hand_off({cpu, cpu});
    EXPECT_FALSE(found.one_way_ns) << "each must wait for the other to lose the core";
    EXPECT_NE(found.why.find("busy"), std::string::npos) << found.why;
}

}  // namespace
}  // namespace weir
