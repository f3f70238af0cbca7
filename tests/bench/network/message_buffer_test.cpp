#include "bench/network/message_buffer.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

namespace weir {
namespace {

constexpr std::uint64_t buffer_bytes = 2'000'000;

/// Pages of the buffer that are memory already.
std::ptrdiff_t pages_in_memory(MessageBuffer& buffer) {
    auto const page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    auto const place = reinterpret_cast<std::uintptr_t>(buffer.data());
    auto const begin = place / page * page;
    std::vector<unsigned char> found((place + buffer_bytes - begin + page - 1) / page);
    EXPECT_EQ(mincore(reinterpret_cast<void*>(begin), place + buffer_bytes - begin, found.data()), 0);
    return std::count_if(found.begin(), found.end(), [](unsigned char one) { return (one & 1U) != 0; });
}

TEST(MessageBuffers, OfHpccAreWrittenAtTheirEndsAlone) {
    MessageBuffer unwritten(buffer_bytes, SentMemory::unwritten);
    EXPECT_EQ(pages_in_memory(unwritten), 2);
    MessageBuffer written(buffer_bytes);
    EXPECT_GE(pages_in_memory(written), static_cast<std::ptrdiff_t>(buffer_bytes) / sysconf(_SC_PAGESIZE));
}

TEST(MessageBuffers, BeginAtTheSamePlaceOfAPage) {
    auto const page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    auto const place = [&](std::uint64_t bytes, SentMemory memory) {
        MessageBuffer buffer(bytes, memory);
        return reinterpret_cast<std::uintptr_t>(buffer.data()) % page;
    };
    for (std::uint64_t const bytes : {0U, 1U, 8U, 4096U, 2'000'000U}) {
        EXPECT_EQ(place(bytes, SentMemory::written), place(8, SentMemory::unwritten)) << bytes;
        EXPECT_EQ(place(bytes, SentMemory::unwritten), place(8, SentMemory::unwritten)) << bytes;
    }
}

}  // namespace
}  // namespace weir
