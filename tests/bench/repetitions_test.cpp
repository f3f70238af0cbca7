#include "bench/repetitions.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace weir {
namespace {

TEST(Repetitions, ComeAfterWarmUpWithAPauseBetweenAnyTwo) {
    Repetitions measuring;
    measuring.warm_up = 2;
    measuring.repetitions = 2;
    measuring.interval = Seconds{0.5};
    ManualClock clock;
    std::vector<std::optional<std::uint64_t>> seen;
    std::vector<double> at_s;
    std::vector<bool> last;
    measuring.each(clock, [&](Turn const& turn) {
        seen.push_back(turn.repetition);
        at_s.push_back(clock.now_s());
        last.push_back(turn.is_last);
    });
    EXPECT_EQ(seen, (std::vector<std::optional<std::uint64_t>>{{}, {}, 0, 1}));
    EXPECT_EQ(at_s, (std::vector<double>{0, 0.5, 1, 1.5}));
    EXPECT_EQ(last, (std::vector<bool>{false, false, false, true}));
}

TEST(Repetitions, AreOptions) {
    Repetitions measuring;
    OptionSet options;
    measuring.declare(options);
    options.set_all({{"warm_up", 1}, {"repetitions", 7}, {"interval", 0.25}});
    EXPECT_EQ(measuring.warm_up, 1U);
    EXPECT_EQ(measuring.repetitions, 7U);
    EXPECT_EQ(measuring.interval.value, 0.25);
}

}  // namespace
}  // namespace weir
