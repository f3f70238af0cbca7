#include "bench/network/buffers.hpp"

#include <gtest/gtest.h>

#include "bench/network/message_type.hpp"
#include "bench/network/rank_counts.hpp"
#include "support/failures/error_of.hpp"

namespace weir {
namespace {

TEST(CallBuffers, InCacheAllCallsUseTheSameMemory) {
    CallBuffers const buffers({100, 200}, 0, BufferMemory::pages);
    EXPECT_EQ(buffers.place(0, 0).send, buffers.place(7, 0).send);
    EXPECT_EQ(buffers.place(0, 0).receive, buffers.place(7, 0).receive);
    EXPECT_EQ(buffers.place(3, 2).root, 2);
    EXPECT_EQ(buffers.send().size(), 100U);
    EXPECT_EQ(buffers.receive().size(), 200U);
}

TEST(CallBuffers, LieOnPagesOrAsMallocPlacesNeighbours) {
    for (std::uint64_t const bytes : {0U, 1U, 16U, 1000U, 65536U}) {
        CallBuffers const neighbours({bytes, 2 * bytes}, 0, BufferMemory::neighbours);
        auto const apart = static_cast<std::uint64_t>(neighbours.place(0, 0).receive - neighbours.place(0, 0).send);
        EXPECT_EQ(apart, (bytes + 15) / 16 * 16 + 16) << bytes;
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(neighbours.place(0, 0).send) % 4096, 16U);
        CallBuffers const pages({bytes, 2 * bytes}, 0, BufferMemory::pages);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(pages.place(0, 0).send) % 4096, 0U);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(pages.place(0, 0).receive) % 4096, 0U);
    }
}

/// IMB: twice the cache, and at least two lines beyond the message before.
TEST(CallBuffers, OffCacheConsecutiveCallsAreApart) {
    constexpr std::uint64_t cache = 1 << 20;
    for (std::uint64_t const bytes : {0U, 1U, 1000U, 4096U, 3U << 20U}) {
        auto const layout = CallBuffers::layout(bytes, cache);
        EXPECT_GE(layout.stride, bytes + 128) << bytes;
        EXPECT_EQ(layout.stride % 64, 0U) << bytes;
        EXPECT_GE(layout.stride * layout.slots, 2 * cache) << bytes;
        EXPECT_EQ(layout.bytes(bytes), (layout.slots - 1) * layout.stride + bytes) << bytes;
    }
    CallBuffers buffers({1000, 1000}, cache, BufferMemory::mpi);
    auto const layout = CallBuffers::layout(1000, cache);
    EXPECT_EQ(buffers.place(1, 0).send - buffers.place(0, 0).send, static_cast<std::ptrdiff_t>(layout.stride));
    EXPECT_EQ(buffers.place(layout.slots, 0).send, buffers.place(0, 0).send);
    auto const fourth = buffers.place(3, 0);
    buffers.go_on(3);
    EXPECT_EQ(buffers.place(0, 0).send, fourth.send) << "the next calls use memory that the caches have lost";
    EXPECT_EQ(buffers.place(0, 0).receive, fourth.receive);
    buffers.go_on(layout.slots - 3);
    std::uint64_t filled = 0;
    buffers.fill([&](std::span<std::byte> send) { filled += send.size(); });
    EXPECT_EQ(filled, layout.slots * 1000);
    EXPECT_LE(buffers.place(layout.slots - 1, 0).receive + 1000, buffers.receive().data() + buffers.receive().size());
}

TEST(MessageType, HasItsSizeBeyondTheRangeOfInt) {
    constexpr std::uint64_t gib = std::uint64_t{1} << 30U;
    for (std::uint64_t const bytes : {std::uint64_t{0}, std::uint64_t{7}, 2 * gib - 1, 2 * gib, 5 * gib + 12345}) {
        MessageType const message(bytes);
        MPI_Count size = 0;
        ASSERT_EQ(MPI_Type_size_x(message.type(), &size), MPI_SUCCESS);
        EXPECT_EQ(static_cast<std::uint64_t>(size) * static_cast<std::uint64_t>(message.count()), bytes);
    }
    EXPECT_EQ(float_count(4 * gib), gib);
#if MPI_VERSION < 4
    testing::expect_error(ExitCode::usage, "too large for a reduction", [] { float_count(8 * gib); });
#endif
}

TEST(RankCounts, AreEqualOrRampedWithTheSameSum) {
    RankCounts const equal(Counts::equal, 10, 4);
    EXPECT_EQ(equal.counts, (std::vector<ElementCount>{10, 10, 10, 10}));
    EXPECT_EQ(equal.places, (std::vector<Displacement>{0, 10, 20, 30}));
    RankCounts const ramped(Counts::ramped, 10, 4);
    EXPECT_EQ(ramped.counts, (std::vector<ElementCount>{4, 8, 12, 16}));
    EXPECT_EQ(ramped.all(), 40U);
    EXPECT_EQ(RankCounts(Counts::ramped, 7, 3).all(), 21U);
#if MPI_VERSION < 4
    testing::expect_error(ExitCode::usage, "too large for a function with counts",
                          [] { RankCounts(Counts::equal, std::uint64_t{1} << 30U, 2); });
#endif
}

TEST(CallBuffers, WhatIsWrittenAgainIsAsBefore) {
    constexpr std::uint64_t bytes = 1000;
    CallBuffers buffers({bytes, 0}, 4096, BufferMemory::pages);
    buffers.fill([](std::span<std::byte> send) { std::ranges::fill(send, std::byte{7}); });
    std::vector<std::byte> const before(buffers.send().begin(), buffers.send().end());
    for (std::uint64_t call = 0; call < 20; ++call) {
        buffers.write(call);
    }
    EXPECT_TRUE(std::ranges::equal(buffers.send(), before));
    CallBuffers({0, 0}, 0, BufferMemory::pages).write(0);
}

}  // namespace
}  // namespace weir
