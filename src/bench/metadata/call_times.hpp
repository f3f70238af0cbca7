#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/clock.hpp"
#include "core/enum_names.hpp"
#include "core/latency.hpp"

namespace weir {

/// The individually timed calls. `write` and `read` are those of a complete file.
enum class Call { create, open, write, read, sync, close, stat, rename, unlink };
constexpr std::array<std::string_view, 9> enum_names(Call) {
    return {"create", "open", "write", "read", "sync", "close", "stat", "rename", "unlink"};
}
constexpr std::size_t calls_known = enum_names(Call{}).size();

/// The durations of one rank's calls in one phase, by kind. Memory does not grow with the number of calls.
class CallTimes {
  public:
    void add(Call call, double seconds) {
        auto const i = static_cast<std::size_t>(call);
        latencies_[i].add(seconds);
        totals_s_[i] += seconds;
    }
    [[nodiscard]] LatencySketch const& latency(Call call) const { return latencies_[static_cast<std::size_t>(call)]; }
    [[nodiscard]] std::array<double, calls_known> const& totals_s() const { return totals_s_; }

  private:
    std::array<LatencySketch, calls_known> latencies_;
    std::array<double, calls_known> totals_s_{};
};

/// Times consecutive calls with one clock reading each.
class Stopwatch {
  public:
    Stopwatch(Clock const& clock, CallTimes& times) : clock_(clock), times_(times), last_s_(clock.now_s()) {}

    void start() { last_s_ = clock_.now_s(); }

    /// Adds the time since the last reading to this call; returns it.
    double lap(Call call) {
        auto const now_s = clock_.now_s();
        auto const took_s = now_s - last_s_;
        times_.add(call, took_s);
        last_s_ = now_s;
        return took_s;
    }

  private:
    Clock const& clock_;
    CallTimes& times_;
    double last_s_;
};

}  // namespace weir
