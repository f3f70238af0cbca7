#pragma once

#include "core/quantity.hpp"

namespace weir {

/// A source of time. Time only moves forward; its zero is arbitrary but common to the processes of a node.
class Clock {
  public:
    virtual ~Clock() = default;
    [[nodiscard]] virtual double now_s() const = 0;
    virtual void sleep(Seconds) = 0;

    /// Keeps the processor busy so long, as a program does that computes; a stop that is requested ends it.
    virtual void compute(Seconds time) { sleep(time); }
};

/// CLOCK_MONOTONIC.
class MonotonicClock final : public Clock {
  public:
    [[nodiscard]] double now_s() const override;
    void sleep(Seconds) override;
    void compute(Seconds) override;
};

/// A clock for tests: it stands still until told to move; sleeping moves it.
class ManualClock final : public Clock {
  public:
    [[nodiscard]] double now_s() const override { return now_s_; }
    void sleep(Seconds time) override { advance(time); }
    void advance(Seconds time) { now_s_ += time.value; }

  private:
    double now_s_ = 0;
};

}  // namespace weir
