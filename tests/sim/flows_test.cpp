#include "sim/flows.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <vector>

namespace weir::sim {
namespace {

constexpr double anything = std::numeric_limits<double>::infinity();

TEST(Flows, OneHasItsLinkForItself) {
    Flows flows;
    std::array const path{flows.add_link(100)};
    flows.begin(1, path, 500, anything, 7);
    EXPECT_NEAR(flows.next(), 6, 6e-9);
    EXPECT_EQ(flows.take(), 7U);
    EXPECT_EQ(flows.next(), anything);
    EXPECT_EQ(flows.passed(path[0]), 500);
}

TEST(Flows, EqualOnesShareEqually) {
    Flows flows;
    std::array const path{flows.add_link(100)};
    constexpr std::uint32_t many = 17;
    for (std::uint32_t i = 0; i < many; ++i) {
        flows.begin(0, path, 500, anything, i);
    }
    for (std::uint32_t i = 0; i < many; ++i) {
        EXPECT_NEAR(flows.next(), 500.0 * many / 100, 85e-9);
        EXPECT_EQ(flows.take(), i);
    }
}

/// Bertsekas and Gallager: who is held up elsewhere leaves its share to others.
TEST(Flows, AreMaxMinFair) {
    Flows flows;
    auto const narrow = flows.add_link(10);
    auto const wide = flows.add_link(100);
    std::array const both{narrow, wide};
    std::array const one{wide};
    flows.begin(0, both, 100, anything, 0);               // 5
    flows.begin(0, std::array{narrow}, 50, anything, 1);  // 5
    flows.begin(0, one, 850, anything, 2);                // 95, less what is limited
    flows.begin(0, one, 80, 8, 3);                        // 8
    // 0: 5, 1: 5, 3: 8, 2: 100 - 5 - 8 = 87
    EXPECT_NEAR(flows.next(), 850.0 / 87, 1e-8);
    EXPECT_EQ(flows.take(), 2U);
    EXPECT_NEAR(flows.next(), 10, 1e-8);
}

/// Rates by the definition, from scratch at each change.
class Slow {
  public:
    struct One {
        std::vector<Flows::Link> path;
        double left;
        double most;
        double rate = 0;
    };
    std::map<std::uint32_t, One> flows;
    std::vector<double> capacity;

    void share() {
        std::map<std::uint32_t, bool> fixed;
        auto left = capacity;
        while (fixed.size() < flows.size()) {
            double least = anything;
            for (auto const& [id, flow] : flows) {
                least = fixed.contains(id) ? least : std::min(least, flow.most);
            }
            for (std::size_t link = 0; link < capacity.size(); ++link) {
                auto const count = std::count_if(flows.begin(), flows.end(), [&](auto const& one) {
                    auto const& path = one.second.path;
                    return !fixed.contains(one.first) && std::find(path.begin(), path.end(), link) != path.end();
                });
                least = count > 0 ? std::min(least, left[link] / static_cast<double>(count)) : least;
            }
            std::vector<std::uint32_t> now;
            for (auto& [id, flow] : flows) {
                bool full = flow.most <= least * (1 + 1e-12);
                for (auto const link : flow.path) {
                    auto const count = std::count_if(flows.begin(), flows.end(), [&](auto const& one) {
                        auto const& path = one.second.path;
                        return !fixed.contains(one.first) && std::find(path.begin(), path.end(), link) != path.end();
                    });
                    full = full || left[link] / static_cast<double>(count) <= least * (1 + 1e-12);
                }
                if (!fixed.contains(id) && full) {
                    now.push_back(id);
                }
            }
            for (auto const id : now) {
                fixed[id] = true;
                flows.at(id).rate = least;
                for (auto const link : flows.at(id).path) {
                    left[link] -= least;
                }
            }
        }
    }
};

TEST(Flows, RatesThatFollowFromEachOtherInALongChain) {
    constexpr std::size_t count = 24;
    std::vector<double> capacity(count + 1, anything);
    std::vector<double> rate(count);
    for (std::size_t i = 0; i < count; ++i) {
        capacity[i] = std::pow(3, static_cast<double>(i));
        rate[i] = i == 0 ? 1 : capacity[i] - rate[i - 1];
    }
    for (std::size_t first = 0; first < count; ++first) {
        Flows flows;
        for (auto const bytes_per_s : capacity) {
            flows.add_link(bytes_per_s);
        }
        for (std::size_t i = 0; i < count; ++i) {  // each shares one link with the flow before, another with the next
            std::array const path{static_cast<Flows::Link>(i), static_cast<Flows::Link>(i + 1)};
            flows.begin(0, path, rate[i] * (i == first ? 1 : 10), anything, static_cast<std::uint32_t>(i));
        }
        EXPECT_NEAR(flows.next(), 1, 1e-9) << first;
        EXPECT_EQ(flows.take(), first);
    }
}

TEST(Flows, EndWhenTheDefinitionSays) {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        std::mt19937_64 random(seed);
        Flows flows;
        Slow slow;
        for (std::uint64_t link = 0; link < 2 + seed % 7; ++link) {
            slow.capacity.push_back(1 + static_cast<double>(random() % 50));
            flows.add_link(slow.capacity.back());
        }
        double now = 0;
        std::uint32_t number = 0;
        while (number < 40 || !slow.flows.empty()) {
            for (auto count = number < 40 ? random() % 4 : 0; count > 0; --count) {
                Slow::One one{{}, 1 + static_cast<double>(random() % 1000), random() % 3 == 0 ? 5.0 : anything};
                for (Flows::Link link = 0; link < slow.capacity.size() && one.path.size() < 3; ++link) {
                    if (random() % 2 == 0) {
                        one.path.push_back(link);
                    }
                }
                one.most = one.path.empty() ? 5.0 : one.most;
                flows.begin(now, one.path, one.left, one.most, number);
                slow.flows.emplace(number++, one);
            }
            if (slow.flows.empty()) {
                ++number;
                continue;
            }
            slow.share();
            double first = anything;
            for (auto const& [id, flow] : slow.flows) {
                first = std::min(first, flow.left / flow.rate);
            }
            ASSERT_NEAR(flows.next(), now + first, 1e-9 * (now + first)) << seed;
            now = flows.next();
            auto const ended = flows.take();
            ASSERT_TRUE(slow.flows.contains(ended));
            ASSERT_NEAR(slow.flows.at(ended).left, slow.flows.at(ended).rate * first, 1e-6) << seed;
            slow.flows.erase(ended);
            for (auto& [id, flow] : slow.flows) {
                flow.left -= flow.rate * first;
            }
            while (flows.next() == now) {
                slow.flows.erase(flows.take());
            }
        }
    }
}

}  // namespace
}  // namespace weir::sim
