#include "core/memory.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "core/proc.hpp"
#include "support/limits.hpp"

namespace weir {
namespace {

constexpr std::uint64_t mib = 1U << 20U;

/// Address space that a thread takes with its first allocation, with its stack.
std::uint64_t taken_by_thread() {
    auto const before = address_space_left()->value;
    std::uint64_t left = 0;
    std::thread([&] { left = address_space_left()->value; }).join();  // which allocates
    return before - left;
}

bool takes_little(bool keeps) {
    testing::SmallMemory const limited(1024 * mib);
    if (keeps) {
        keep_to_address_space();
    }
    return taken_by_thread() < 64 * mib;
}

TEST(Memory, ThreadsShareOneArenaWithinALimitOfAddressSpace) {
    EXPECT_EXIT(std::exit(takes_little(true) ? 0 : 1), ::testing::ExitedWithCode(0), "");
#ifdef __GLIBC__
    EXPECT_EXIT(std::exit(takes_little(false) ? 0 : 1), ::testing::ExitedWithCode(1), "");
#endif
}

}  // namespace
}  // namespace weir
