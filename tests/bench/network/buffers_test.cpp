#include "bench/network/buffers.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <csignal>

namespace weir {
namespace {

/// Each page of the slot: where one may not be written, the process ends.
TEST(CallBuffers, AllOfASlotIsWrittenAgain) {
    constexpr std::uint64_t page = 4096;
    for (std::uint64_t at = 0; at < 3; ++at) {
        auto const write_beside_a_protected_page = [at] {
            CallBuffers buffers({3 * page, 0}, 0, BufferMemory::pages);
            ::mprotect(buffers.send().data() + at * page, page, PROT_READ);
            buffers.write(0);
        };
        EXPECT_EXIT(write_beside_a_protected_page(), ::testing::KilledBySignal(SIGSEGV), "") << "page " << at;
    }
}

}  // namespace
}  // namespace weir
