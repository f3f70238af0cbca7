#include <gtest/gtest.h>

#include <algorithm>

#include "bench/enough_memory.hpp"
#include "core/error.hpp"
#include "core/proc.hpp"
#include "support/limits.hpp"

namespace weir {
namespace {

TEST(EnoughMemory, FreeIsSharedByTheRanksOfANode) {
    auto const world = Communicator::world();
    auto const free = available_memory().value_or(Bytes{0}).value;
    auto const of_rank = free / world.node().size();
    auto told = std::uint64_t{0};
    auto const largest = [&](std::uint64_t bytes) {
        told = bytes;
        return std::string();
    };
    EXPECT_NO_THROW(refuse_more_memory(world, of_rank / 2, largest));
    EXPECT_EQ(told, 0U);
    EXPECT_THROW(refuse_more_memory(world, of_rank / 2 * 3, largest), Error);
    EXPECT_NEAR(static_cast<double>(told) / static_cast<double>(of_rank), 1, 0.25) << "others may use memory meanwhile";
    EXPECT_LT(told, of_rank) << "programs and libraries take more than their arrays";
    EXPECT_NO_THROW(refuse_more_memory(world, told, largest));
}

TEST(EnoughMemory, IsWithinTheLimitOfAddressSpaceAndLessThanAllOfIt) {
    auto const world = Communicator::world();
    constexpr double all = 60 << 20U;
    testing::SmallMemory const limited(static_cast<std::uint64_t>(all));
    std::uint64_t told = 0;
    auto const largest = [&](std::uint64_t bytes) {
        told = bytes;
        return std::string();
    };
    EXPECT_NEAR(static_cast<double>(free_memory_of_each(1).value()), all, 1e5);
    EXPECT_THROW(refuse_more_memory(world, static_cast<std::uint64_t>(all), largest), Error);
    EXPECT_NEAR(static_cast<double>(told), 5.0 / 6 * 0.98 * all, 1e5) << "a part may be taken meanwhile";
}

/// Sizes follow from it: they must be the same on all ranks.
TEST(EnoughMemory, IsThatOfTheRankWithTheLeast) {
    auto const world = Communicator::world();
    testing::SmallMemory const limited((60 + 10 * world.rank()) << 20U);
    auto const free = world.all_gather(free_memory_of_rank(world));
    EXPECT_EQ(std::count(free.begin(), free.end(), free.front()), static_cast<std::ptrdiff_t>(world.size()));
    EXPECT_LE(free.front(), std::uint64_t{60} << 20U);
}

}  // namespace
}  // namespace weir
