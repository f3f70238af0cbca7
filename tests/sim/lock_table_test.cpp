#include "sim/lock_table.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace weir::sim {
namespace {

constexpr std::uint64_t lock = 7;
constexpr std::uint64_t one = 100, other = 200;  // clients

/// Requests that have the lock now, with what each paid.
std::vector<std::pair<std::uint32_t, double>> released(LockTable& locks) {
    std::vector<std::pair<std::uint32_t, double>> given;
    locks.release(lock, 0, [&](std::uint32_t request, double cost) { given.emplace_back(request, cost); });
    return given;
}

LockRules rules() { return {LockUnit::file, false, 0, 3, 0.5}; }

TEST(LockTable, AClientThatHasALockKeepsIt) {
    LockTable locks(rules());
    EXPECT_EQ(locks.ask(lock, {one, 1}, 0), 0);
    EXPECT_EQ(locks.ask(lock, {one, 2}, 0), 0) << "both at once";
    EXPECT_TRUE(released(locks).empty());
    EXPECT_TRUE(released(locks).empty());
    EXPECT_EQ(locks.ask(lock, {one, 3}, 0), 0);
    EXPECT_EQ(locks.ask(lock + 1, {other, 4}, 0), 0) << "nobody has that one";
    EXPECT_EQ(locks.busy_s().front(), 0);
}

TEST(LockTable, TheOwnerDoesNotOvertakeThoseThatWait) {
    LockTable locks(rules());
    EXPECT_EQ(locks.ask(lock, {one, 1}, 0), 0);
    EXPECT_FALSE(locks.ask(lock, {other, 2}, 0));
    EXPECT_FALSE(locks.ask(lock, {one, 3}, 0));
    EXPECT_EQ(released(locks), (std::vector<std::pair<std::uint32_t, double>>{{2, 3 + 0.5}})) << "one more waits";
    EXPECT_EQ(released(locks), (std::vector<std::pair<std::uint32_t, double>>{{3, 3}}));
    EXPECT_EQ(locks.busy_s().front(), 6.5);
}

TEST(LockTable, AClientsNeighboursInTheQueueHaveTheLockTogether) {
    LockTable locks(rules());
    EXPECT_EQ(locks.ask(lock, {one, 1}, 0), 0);
    for (std::uint32_t request = 2; request < 4; ++request) {
        EXPECT_FALSE(locks.ask(lock, {other, request}, 0));
    }
    EXPECT_FALSE(locks.ask(lock, {one, 4}, 0));
    EXPECT_EQ(released(locks), (std::vector<std::pair<std::uint32_t, double>>{{2, 3 + 0.5}, {3, 3.5}}))
        << "the second does not overtake the lock on its way";
    EXPECT_TRUE(released(locks).empty()) << "the other request still has it";
    EXPECT_EQ(released(locks), (std::vector<std::pair<std::uint32_t, double>>{{4, 3}}));
}

}  // namespace
}  // namespace weir::sim
