#include "comm/communicator.hpp"

#include <gtest/gtest.h>

#include "comm/collective_error.hpp"

namespace weir {
namespace {

TEST(NullCommunicator, IsOneRank) {
    Communicator const alone;
    EXPECT_EQ(alone.size(), 1U);
    EXPECT_EQ(alone.rank(), 0U);
    EXPECT_TRUE(alone.is_root());
    EXPECT_EQ(alone.sum(std::uint64_t{3}), 3U);
    EXPECT_EQ(alone.max(2.5), 2.5);
    EXPECT_EQ(alone.all_gather(7), std::vector<int>{7});
    EXPECT_EQ(alone.all_gather(std::string("a")), std::vector<std::string>{"a"});
    EXPECT_EQ(alone.broadcast("text"), "text");
    EXPECT_EQ(alone.split(1).size(), 1U);
    EXPECT_EQ(alone.node().size(), 1U);
    alone.barrier();
    alone.quiet_barrier();
}

TEST(NullCommunicator, AgreesWithItself) {
    EXPECT_NO_THROW(agree(Communicator(), {}));
    EXPECT_THROW(agree(Communicator(), Diagnosis{"p", "r", "s", ExitCode::cannot_run, {}, {}}), Error);
}

}  // namespace
}  // namespace weir
