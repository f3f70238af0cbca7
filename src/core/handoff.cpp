#include "core/handoff.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <future>
#include <system_error>
#include <vector>

#include "core/clock.hpp"
#include "core/latency.hpp"

namespace weir {
namespace {

constexpr std::uint32_t round_trips = 500;  // of a batch
constexpr std::uint32_t batches = 21;       // and one before them, in which the threads start
constexpr std::size_t fewest_batches = 11;  // fewer are as likely as not those that were disturbed
constexpr double longest_s = 0.02;

/// Nothing, or why the calling thread cannot be bound to this CPU.
std::string bind_thread(unsigned cpu) {
    if (cpu >= CPU_SETSIZE) {
        return fmt::format("CPU {} is beyond the {} that a thread can be bound to", cpu, CPU_SETSIZE);
    }
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    auto const status = pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
    return status == 0 ? "" : fmt::format("a thread cannot be bound to CPU {} ({})", cpu, std::strerror(status));
}

/// The cache line that two threads pass: one writes odd numbers, the other answers with the next even one.
class PassedLine {
  public:
    /// Durations of the batches that were finished in time.
    std::vector<double> ask() {
        std::vector<double> durations_s;
        for (std::uint32_t batch = 0; batch <= batches; ++batch) {
            auto const start_s = clock_.now_s();
            for (std::uint32_t trip = 0; trip < round_trips; ++trip) {
                auto const turn = 2 * (batch * round_trips + trip) + 1;
                value_.store(turn, std::memory_order_release);
                if (!arrives(turn + 1)) {
                    return durations_s;
                }
            }
            if (batch > 0) {
                durations_s.push_back(clock_.now_s() - start_s);
            }
        }
        return durations_s;
    }

    void answer() {
        for (std::uint32_t trip = 0; trip < (batches + 1) * round_trips; ++trip) {
            if (!arrives(2 * trip + 1)) {
                return;
            }
            value_.store(2 * trip + 2, std::memory_order_release);
        }
    }

    void give_up() { given_up_.store(true, std::memory_order_relaxed); }

  private:
    /// Spins until the value is there; false if the time is over.
    bool arrives(std::uint32_t value) {
        constexpr std::uint32_t between_looks = 1024;
        constexpr std::uint32_t patience = 64 * between_looks;  // some 50 us, far more than any hand-off
        constexpr Seconds nap{5e-5};
        for (std::uint32_t spins = 1; value_.load(std::memory_order_acquire) != value; ++spins) {
            if (spins % between_looks == 0 && (given_up_.load(std::memory_order_relaxed) || clock_.now_s() > end_s_)) {
                return false;
            }
            if (spins % patience == 0) {
                // The other has lost its core. Threads that sleep get theirs back sooner, and so meet on both.
                clock_.sleep(nap);
            }
        }
        return true;
    }

    // Some processors fetch lines in pairs.
    alignas(128) std::atomic<std::uint32_t> value_ = 0;
    alignas(128) std::atomic<bool> given_up_ = false;
    MonotonicClock clock_;
    double end_s_ = clock_.now_s() + longest_s;
};

}  // namespace

HandOff measure_hand_off(CpuPair cpus) {
    PassedLine line;
    auto const bound = [&line](unsigned cpu, auto work) {
        auto why = bind_thread(cpu);
        why.empty() ? work() : line.give_up();
        return why;
    };
    std::vector<double> durations_s;
    std::string why;
    try {
        auto other = std::async(std::launch::async, [&] { return bound(cpus.second, [&] { line.answer(); }); });
        auto one = std::async(std::launch::async, [&] { return bound(cpus.first, [&] { durations_s = line.ask(); }); });
        why = one.get();
        auto const others_why = other.get();
        why = why.empty() ? others_why : why;
    } catch (std::system_error const& error) {
        why = fmt::format("a thread cannot be started ({})", error.code().message());
    }
    if (why.empty() && durations_s.size() < fewest_batches) {
        why = fmt::format("CPUs {} and {} were busy: {} of {} batches were finished within {:.0f} ms", cpus.first,
                          cpus.second, durations_s.size(), batches, 1e3 * longest_s);
    }
    if (!why.empty()) {
        return {{}, why};
    }
    return {median(std::move(durations_s)) / (2 * round_trips) * 1e9, ""};
}

}  // namespace weir
