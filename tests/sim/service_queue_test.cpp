#include "sim/service_queue.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace weir::sim {
namespace {

/// Lindley (1952): a customer waits as long as the one before, longer by its service, shorter by what came between.
TEST(ServiceQueue, LetsCustomersWaitAsLindleySays) {
    std::mt19937_64 random(2);
    std::exponential_distribution<double> between(0.8);
    constexpr double service = 1;
    ServiceQueue queue;
    double now = 0;
    double wait = 0;
    double sum = 0;
    constexpr int customers = 200000;
    for (int i = 0; i < customers; ++i) {
        EXPECT_NEAR(queue.serve(now, service), now + wait + service, 1e-9 * (1 + now));
        sum += wait;
        auto const gap = between(random);
        now += gap;
        wait = std::max(0.0, wait + service - gap);
    }
    // Pollaczek and Khinchine: the mean of M/D/1 is rho s / (2 (1 - rho)); here 2.
    EXPECT_NEAR(sum / customers, 2.0, 0.1);
    EXPECT_DOUBLE_EQ(queue.busy_s(1e9), customers * service);
}

TEST(ServiceQueue, ServesSeveralAtOnce) {
    ServiceQueue queue(3);
    std::vector<double> ends;
    for (int i = 0; i < 7; ++i) {
        ends.push_back(queue.serve(0, 1));
    }
    EXPECT_EQ(ends, (std::vector<double>{1, 1, 1, 2, 2, 2, 3}));
    EXPECT_EQ(queue.serve(10, 1), 11);
}

TEST(ServiceQueue, HasBeenBusyUntilThen) {
    ServiceQueue queue(2);
    queue.serve(0, 4);
    queue.serve(0, 2);
    EXPECT_EQ(queue.busy_s(1), 1);
    EXPECT_EQ(queue.busy_s(3), 2.5);
    EXPECT_EQ(queue.busy_s(9), 3);
}

TEST(ServiceQueue, KeepsWhatIsStillBeingAskedFor) {
    ServiceQueue queue;
    queue.serve_many({0, 100}, 100, 1);  // all the time, as they come
    auto const others = queue.serve_many({50, 60}, 10, 1);
    EXPECT_NEAR(others.last, 70, 1) << "ten of its own, and ten of the first";
    auto const all = queue.serve_many({100, 100}, 1, 1);
    EXPECT_NEAR(all.last, 111, 1);
}

}  // namespace
}  // namespace weir::sim
