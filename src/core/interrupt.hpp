#pragma once

#include <atomic>

#include "core/error.hpp"
#include "core/rank_progress.hpp"

namespace weir {

/// Set by SIGINT and SIGTERM once catch_interrupts() was called. Long loops check it between steps.
extern std::atomic<bool> stop_requested;

void catch_interrupts();

/// Calls throw_interrupted() if a stop was requested; counts as a step of progress.
inline void throw_if_interrupted();

/// While an instance exists, stop requests are deferred: for what must be complete, such as an application's dump.
class HoldInterrupts {
  public:
    HoldInterrupts();
    ~HoldInterrupts();
    HoldInterrupts(HoldInterrupts const&) = delete;
    HoldInterrupts& operator=(HoldInterrupts const&) = delete;

  private:
    bool outermost_;
};

/// What the user is told of a run that a signal stopped (ExitCode::interrupted).
Diagnosis interruption();

/// Throws interruption() as an Error.
[[noreturn]] void throw_interrupted();

inline void throw_if_interrupted() {
    note_step();
    if (stop_requested.load(std::memory_order_relaxed)) [[unlikely]] {
        throw_interrupted();
    }
}

}  // namespace weir
