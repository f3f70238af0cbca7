#include "sim/event_queue.hpp"

#include <gtest/gtest.h>

#include <queue>
#include <random>

namespace weir::sim {
namespace {

TEST(EventQueue, GivesTheEarliestFirstAndEqualsInTheirOrder) {
    std::mt19937_64 random(1);
    EventQueue<int> queue;
    using Entry = std::pair<double, int>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> reference;
    double now = 0;
    int number = 0;
    for (int i = 0; i < 20000; ++i) {
        if (random() % 4 == 0 && !queue.empty()) {
            ASSERT_EQ(queue.next(), reference.top().first) << "what is looked at may not be the next that is taken";
        }
        if (random() % 5 < 3) {
            auto const steps = static_cast<double>(random() % 4);  // many are equal
            auto const at = now + steps * (random() % 7 == 0 ? 1e-9 : 0.25);
            queue.add(at, number);
            reference.emplace(at, number++);
        } else if (!reference.empty()) {
            ASSERT_FALSE(queue.empty());
            now = queue.next();
            ASSERT_EQ(now, reference.top().first);
            ASSERT_EQ(queue.take(), reference.top().second);
            reference.pop();
        }
    }
    while (!reference.empty()) {
        ASSERT_EQ(queue.take(), reference.top().second);
        reference.pop();
    }
    EXPECT_TRUE(queue.empty());
}

}  // namespace
}  // namespace weir::sim
