#pragma once

#include "core/quantity.hpp"

namespace weir {

/// A monotonic source of time; its zero is arbitrary but common to the processes of a node.
class Clock {
  public:
    virtual ~Clock() = default;
    [[nodiscard]] virtual double now_s() const = 0;
    virtual void sleep(Seconds) = 0;

    /// Keeps the processor busy for this time, as computation does; ends early if a stop is requested.
    virtual void compute(Seconds time) { sleep(time); }
};

/// CLOCK_MONOTONIC.
class MonotonicClock final : public Clock {
  public:
    [[nodiscard]] double now_s() const override;
    void sleep(Seconds) override;
    void compute(Seconds) override;
};

/// A clock for tests: advances only when set or slept on.
class ManualClock final : public Clock {
  public:
    [[nodiscard]] double now_s() const override { return now_s_; }
    void sleep(Seconds time) override { advance(time); }
    void advance(Seconds time) { now_s_ += time.value; }

  private:
    double now_s_ = 0;
};

}  // namespace weir
