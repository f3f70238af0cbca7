#include <gtest/gtest.h>

#include <vector>

#include "bench/network/network_function.hpp"
#include "core/clock.hpp"

namespace weir {
namespace {

constexpr std::uint64_t message_bytes = 24;

/// One call between ranks 0 and 1, each of which sends bytes of its own.
struct PrttCall : ::testing::Test {
    void SetUp() override {
        if (Communicator::world().size() < 2) {
            GTEST_SKIP() << "it takes two ranks";
        }
    }
    double call(CallChoices const& choices) {
        auto const world = Communicator::world();
        auto const pair = world.split(world.rank() < 2 ? 0 : 1);
        if (world.rank() >= 2) {
            return 0;
        }
        auto const& function = *Registry<NetworkFunction>::instance().find("PRTT");
        auto const prepared = function.prepare({pair, message_bytes, choices});
        std::vector<std::byte> send(prepared->sizes().send, static_cast<std::byte>(pair.rank() + 1));
        received.assign(prepared->sizes().receive, std::byte{});
        MonotonicClock const clock;
        auto const from_s = clock.now_s();
        prepared->call({send.data(), received.data(), 0});
        auto const took_s = clock.now_s() - from_s;
        EXPECT_EQ(received, std::vector<std::byte>(message_bytes, static_cast<std::byte>(2 - pair.rank())));
        return took_s;
    }
    std::vector<std::byte> received;
};

TEST_F(PrttCall, SendsSeveralAndReceivesOne) {
    call({});
    CallChoices several;
    several.messages = 100;
    call(several);
}

TEST_F(PrttCall, IsBusyBetweenMessagesAndBeforeItReceives) {
    CallChoices choices;
    choices.messages = 4;
    choices.delay = Seconds{2e-3};
    choices.pause = Seconds{5e-3};
    auto const took_s = call(choices);
    if (Communicator::world().rank() == 0) {
        EXPECT_GE(took_s, 3 * 2e-3 + 5e-3) << "three delays between four messages, and the pause";
    }
}

TEST_F(PrttCall, ReceivesLate) {
    CallChoices choices;
    choices.late = Seconds{4e-3};
    auto const took_s = call(choices);
    if (Communicator::world().rank() == 1) {
        EXPECT_GE(took_s, 4e-3);
    }
}

TEST(LocalCopy, CopiesWithinARank) {
    auto const world = Communicator::world();
    auto const& function = *Registry<NetworkFunction>::instance().find("LocalCopy");
    auto const prepared = function.prepare({world, message_bytes, {}});
    std::vector<std::byte> send(message_bytes, static_cast<std::byte>(world.rank() + 1));
    std::vector<std::byte> received(message_bytes);
    prepared->call({send.data(), received.data(), 0});
    EXPECT_EQ(received, send);
}

}  // namespace
}  // namespace weir
