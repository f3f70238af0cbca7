#pragma once

#include "core/clock.hpp"

namespace weir::array {

/// Seconds of a monotonic clock.
inline double now() { return MonotonicClock().now_s(); }

/// Adds its lifetime to a sum.
class ScopedTimer {
  public:
    explicit ScopedTimer(double& sum) : sum_(sum), began_(now()) {}
    ~ScopedTimer() { sum_ += now() - began_; }
    ScopedTimer(ScopedTimer const&) = delete;
    ScopedTimer& operator=(ScopedTimer const&) = delete;

  private:
    double& sum_;
    double began_;
};

}  // namespace weir::array
