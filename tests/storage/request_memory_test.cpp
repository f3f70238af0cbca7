#include "storage/request_memory.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace weir {
namespace {

std::uint64_t in_page(std::span<std::byte> place) { return reinterpret_cast<std::uintptr_t>(place.data()) % 4096; }

TEST(RequestMemory, IsOneBufferUnlessMoreIsAskedFor) {
    RequestMemory memory(1000, {});
    EXPECT_EQ(memory.next(1000).data(), memory.next(10).data());
    EXPECT_EQ(memory.bytes().size(), 1000U);
}

TEST(RequestMemory, IsWalkedThroughAndBegunAgain) {
    RequestMemory memory(1000, {2500, 0});
    auto* const begin = memory.next(1000).data();
    EXPECT_EQ(memory.next(1000).data(), begin + 1000);
    EXPECT_EQ(memory.next(500).data(), begin + 2000);
    EXPECT_EQ(memory.next(1).data(), begin);
    memory.next(1000);
    memory.next(1000);
    EXPECT_EQ(memory.next(1000).data(), begin) << "499 bytes are left";
}

TEST(RequestMemory, IsNoLargerThanItNeedsToBe) {
    EXPECT_EQ(RequestMemory(1000, {1ULL << 50U, 0}).bytes().size(), RequestMemory::most_bytes);
    EXPECT_EQ(RequestMemory(RequestMemory::most_bytes + 1, {1ULL << 50U, 0}).bytes().size(),
              RequestMemory::most_bytes + 1);
    EXPECT_EQ(RequestMemory(0, {}).next(0).size(), 0U);
}

TEST(RequestMemory, BeginsSoFarBehindAPage) {
    EXPECT_EQ(in_page(RequestMemory(1 << 20, {}).bytes()), 0U);
    EXPECT_EQ(in_page(RequestMemory(1 << 20, {0, 16}).bytes()), 16U);
    EXPECT_EQ(RequestMemory(1 << 20, {0, 16}).bytes().size(), 1U << 20U);
}

}  // namespace
}  // namespace weir
