// The definitions of the Intel MPI Benchmarks, by hand-computed cases: calls, bytes, roots, starts and reported times.
// Sources: IMB 4.0 user guide (for version 2.3); IMB 2021.11.

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "bench/network/sampled.hpp"
#include "bench/network/watched_mpi.hpp"

namespace weir {
namespace {

using testing::quick;
using testing::WatchedMpi;

constexpr std::uint64_t loop_calls = 6;
constexpr std::uint64_t starting_barriers = 2;

/// A loop of calls on all ranks, or on the first two, timed by the watched clock.
struct WatchedLoop {
    WatchedLoop(std::string const& name, std::uint64_t bytes, Imb imb) {
        auto const world = Communicator::world();
        auto const& function = *Registry<NetworkFunction>::instance().find(name);
        auto const taking_part = function.facts().traffic == Traffic::single ? 2 : world.size();
        takes_part = world.rank() < taking_part;
        auto const ranks = world.split(takes_part ? 0 : 1);
        if (!takes_part) {
            return;
        }
        CallChoices choices;
        choices.imb = imb;
        auto const call = function.prepare({ranks, bytes, choices});
        CallBuffers buffers(call->sizes(), 0, BufferMemory::pages);
        call->attach(buffers.send(), buffers.receive());
        sizes = call->sizes();
        CallLoop::Timing timing;
        timing.start = start_of(Start::imb, function.facts(), imb, Content::kept);
        timing.root_rotates = imb == Imb::v2_3;
        timing.clock = &watch.clock;
        durations_s.assign(loop_calls, 0);
        watch.made.clear();
        CallLoop(*call, buffers, ranks, timing).run(durations_s);
    }

    [[nodiscard]] std::uint64_t sent_bytes() const {
        std::uint64_t bytes = 0;
        for (auto const& call : watch.made) {
            bytes += call.sent_bytes;
        }
        return bytes;
    }

    WatchedMpi watch;
    bool takes_part = false;
    BufferSizes sizes;
    std::vector<double> durations_s;
};

struct Definition {
    char const* function;
    std::map<std::string, std::uint64_t> calls;  ///< of MPI, in one call of the function
    std::uint64_t sent;                          ///< by a rank in one call
    std::uint64_t send_buffer, receive_buffer;
};

/// Message size X = 960, which 2, 3 and 4 ranks divide into floats; n ranks.
void expect_definition(Definition const& wanted, Imb imb) {
    SCOPED_TRACE(wanted.function);
    constexpr std::uint64_t message = 960;
    WatchedLoop const loop(wanted.function, message, imb);
    if (!loop.takes_part) {
        return;
    }
    for (auto const& [name, count] : wanted.calls) {
        EXPECT_EQ(loop.watch.count(name), count * loop_calls) << name;
    }
    EXPECT_EQ(loop.sent_bytes(), wanted.sent * loop_calls);
    EXPECT_EQ(loop.sizes.send, wanted.send_buffer);
    EXPECT_EQ(loop.sizes.receive, wanted.receive_buffer);
}

TEST(ImbDefinitions, CallsAndBytes) {
    auto const n = Communicator::world().size();
    if (n == 1) {
        GTEST_SKIP() << "there is nobody to talk to";
    }
    constexpr std::uint64_t x = 960;
    for (auto const imb : {Imb::v2_3, Imb::v2021}) {
        expect_definition({"PingPong", {{"Send", 1}, {"Recv", 1}}, x, x, x}, imb);
        expect_definition({"PingPing", {{"Isend", 1}, {"Recv", 1}, {"Wait", 1}}, x, x, x}, imb);
        expect_definition({"Sendrecv", {{"Sendrecv", 1}}, x, x, x}, imb);
        // Two messages come, into the same memory but where data are checked.
        expect_definition({"Exchange", {{"Isend", 2}, {"Recv", 2}, {"Waitall", 1}}, 2 * x, 2 * x, 2 * x}, imb);
        expect_definition({"Allreduce", {{"Allreduce", 1}}, x, x, x}, imb);
        expect_definition({"Reduce", {{"Reduce", 1}}, x, x, x}, imb);
        expect_definition({"Allgather", {{"Allgather", 1}}, x, x, n * x}, imb);
        expect_definition({"Allgatherv", {{"Allgatherv", 1}}, x, x, n * x}, imb);
        expect_definition({"Alltoall", {{"Alltoall", 1}}, n * x, n * x, n * x}, imb);
    }
    // 2.3 splits X among the ranks, 2021 gives X to each.
    expect_definition({"Reduce_scatter", {{"Reduce_scatter", 1}}, x, x, x / n}, Imb::v2_3);
    expect_definition({"Reduce_scatter", {{"Reduce_scatter", 1}}, n * x, n * x, x}, Imb::v2021);
}

/// 2.3: each rank in turn; 2021: rank 0.
TEST(ImbDefinitions, Roots) {
    auto const n = Communicator::world().size();
    if (n == 1) {
        GTEST_SKIP() << "there is nobody to talk to";
    }
    for (auto const* name : {"Bcast", "Reduce"}) {
        for (auto const imb : {Imb::v2_3, Imb::v2021}) {
            WatchedLoop const loop(name, 40, imb);
            std::vector<int> roots;
            std::vector<int> wanted;
            for (auto const& call : loop.watch.made) {
                if (call.name == name) {
                    wanted.push_back(imb == Imb::v2_3 ? static_cast<int>(roots.size() % n) : 0);
                    roots.push_back(call.root);
                }
            }
            EXPECT_EQ(roots.size(), loop_calls);
            EXPECT_EQ(roots, wanted) << name;
        }
    }
}

/// 2021: a barrier after each collective call but Barrier itself; 2.3, and other calls: none.
TEST(ImbDefinitions, Barriers) {
    if (Communicator::world().size() == 1) {
        GTEST_SKIP() << "there is nobody to talk to";
    }
    auto const barriers = [](char const* name, std::uint64_t bytes, Imb imb) {
        WatchedLoop const loop(name, bytes, imb);
        return loop.takes_part ? loop.watch.count("Barrier") - starting_barriers : 0;
    };
    EXPECT_EQ(barriers("Bcast", 8, Imb::v2021), loop_calls);
    EXPECT_EQ(barriers("Ibcast", 8, Imb::v2021), loop_calls);
    EXPECT_EQ(barriers("Bcast", 8, Imb::v2_3), 0U);
    EXPECT_EQ(barriers("Sendrecv", 8, Imb::v2021), 0U);
    EXPECT_EQ(barriers("PingPong", 8, Imb::v2021), 0U);
    EXPECT_EQ(barriers("Ibarrier", 0, Imb::v2021), 0U);
    EXPECT_EQ(barriers("Barrier", 0, Imb::v2021), Communicator::world().size() > 0 ? loop_calls : 0);  // its own
}

/// The duration is that of the call, without the barriers after it.
TEST(ImbDefinitions, DurationsLeaveOutTheBarriers) {
    if (Communicator::world().size() == 1) {
        GTEST_SKIP() << "there is nobody to talk to";
    }
    WatchedMpi watch;
    watch.takes("Bcast", 3e-6);
    watch.takes("Barrier", 1e-3);
    auto const world = Communicator::world();
    CallChoices const choices;
    auto const call = Registry<NetworkFunction>::instance().find("Bcast")->prepare({world, 8, choices});
    CallBuffers buffers(call->sizes(), 0, BufferMemory::pages);
    for (auto const start : {Start::free, Start::barrier}) {
        CallLoop::Timing timing;
        timing.start = start;
        timing.clock = &watch.clock;
        std::vector<double> durations_s(3);
        auto const total = CallLoop(*call, buffers, world, timing).run(durations_s);
        EXPECT_NEAR(total.sum_s, 9e-6, 1e-12) << to_text(start);
        for (auto const duration_s : durations_s) {
            EXPECT_NEAR(duration_s, 3e-6, 1e-12) << to_text(start);
        }
    }
}

struct Reported {
    char const* function;
    double times_per_call;
    std::optional<double> messages;
};

/// PingPong: half a call; X, 2 X and 4 X bytes by the time; no bandwidth of collective calls.
TEST(ImbDefinitions, ReportedTimesAndBandwidths) {
    for (auto const& wanted : std::initializer_list<Reported>{{"PingPong", 2, 1},
                                                              {"PingPing", 1, 1},
                                                              {"Sendrecv", 1, 2},
                                                              {"Exchange", 1, 4},
                                                              {"Unidir_put", 1, 1},
                                                              {"Bidir_put", 1, 1},
                                                              {"Unidir_get", 1, 1},
                                                              {"Bidir_get", 1, 1},
                                                              {"Accumulate", 1, {}},
                                                              {"Bcast", 1, {}},
                                                              {"Iallreduce", 1, {}}}) {
        auto const& facts = Registry<NetworkFunction>::instance().find(wanted.function)->facts();
        EXPECT_EQ(facts.times_per_call, wanted.times_per_call) << wanted.function;
        EXPECT_EQ(facts.messages, wanted.messages) << wanted.function;
    }
}

/// Time passes with each look at it, so that waiting ends.
class PassingClock final : public Clock {
  public:
    [[nodiscard]] double now_s() const override { return now_s_ += 1e-6; }
    void sleep(Seconds time) override { now_s_ += time.value; }

  private:
    mutable double now_s_ = 0;
};

/// Rank 0's common clock moves on by more than a window in every call but the first: those after it are late on it, and
/// are left out on all ranks.
TEST(CallWindows, LateCallsAreLeftOutOnAllRanks) {
    auto const world = Communicator::world();
    if (world.size() == 1) {
        GTEST_SKIP() << "there is nobody to talk to";
    }
    PassingClock common;
    WatchedMpi watch;
    watch.has_fault("Allreduce", [&](auto const& make, std::span<std::byte>) {
        common.sleep(Seconds(world.is_root() ? 25e-3 : 0));
        return make();
    });
    CallChoices const choices;
    auto const call = Registry<NetworkFunction>::instance().find("Allreduce")->prepare({world, 8, choices});
    CallBuffers buffers(call->sizes(), 0, BufferMemory::pages);
    CallLoop::Timing timing;
    timing.start = Start::window;
    timing.clock = &watch.clock;
    timing.common_clock = &common;
    std::vector<double> durations_s(4);
    CallLoop(*call, buffers, world, timing).run(durations_s, 10e-3);
    EXPECT_GE(durations_s[0], 0);
    for (std::size_t i = 1; i < durations_s.size(); ++i) {
        EXPECT_EQ(durations_s[i], -1) << i;
    }
    std::vector<double> in_time(4);
    CallLoop(*call, buffers, world, timing).run(in_time, 50e-3);
    EXPECT_TRUE(std::ranges::all_of(in_time, [](double duration_s) { return duration_s >= 0; }));
}

/// All ranks' common clocks move on by far more than a window in every call: all but the first are late.
TEST(CallWindows, SamplesCountLateCalls) {
    auto const world = Communicator::world();
    if (world.size() == 1) {
        GTEST_SKIP() << "there is nobody to talk to";
    }
    PassingClock common;
    WatchedMpi watch;
    watch.has_fault("Allreduce", [&](auto const& make, std::span<std::byte>) {
        common.sleep(Seconds(1000));
        return make();
    });
    auto options = quick("Allreduce", 8);
    options.start = Start::window;
    options.calls = 4;
    auto const found = Sampler(world, common, options).sample();
    if (world.is_root()) {
        EXPECT_EQ(found.late, 3U);
        EXPECT_EQ(found.latency.count(), world.size());
    }
}

/// IMB's is the mean of all calls of a rank, in which a disturbed one counts; the median of batches is Weir's own.
TEST(ImbDefinitions, MeansOfAllCallsBesideTheMedianOfBatches) {
    if (Communicator::world().size() == 1) {
        GTEST_SKIP() << "there is nobody to talk to";
    }
    constexpr std::uint64_t bytes = 1000;
    auto options = quick("Allreduce", bytes);
    options.check = false;
    testing::sampled(options);  // wakes up
    options.budget = Seconds(60);
    options.rule.precision = 0;
    options.rule.most = 64;
    constexpr auto disturbance = std::chrono::milliseconds(500);
    constexpr std::uint64_t disturbed_call = 60;
    WatchedMpi watch;
    std::uint64_t calls = 0;
    watch.has_fault("Allreduce", [&](auto const& make, std::span<std::byte> received) {
        if (received.size() == bytes && ++calls == disturbed_call) {
            std::this_thread::sleep_for(disturbance);
        }
        return make();
    });
    auto const found = testing::sampled(options);
    ASSERT_GT(calls, disturbed_call);
    if (!Communicator::world().is_root()) {
        return;
    }
    auto const all = static_cast<double>(found.calls * found.batches);
    auto const share_s = std::chrono::duration<double>(disturbance).count() / all;
    EXPECT_EQ(found.batches, 64U);
    auto const& imb = found.imb.groups.front();
    EXPECT_GE(imb.least_s, 0.99 * share_s);
    EXPECT_LE(imb.least_s, imb.mean_s);
    EXPECT_LE(imb.mean_s, imb.greatest_s);
    EXPECT_LE(imb.greatest_s * all, found.elapsed_s) << "its calls are those that were made";
    EXPECT_LT(found.median.groups.front().greatest_s, share_s);
}

}  // namespace
}  // namespace weir
