#include <gtest/gtest.h>

#include "bench/enough_memory.hpp"
#include "core/error.hpp"
#include "core/proc.hpp"

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

}  // namespace
}  // namespace weir
