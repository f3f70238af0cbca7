#include "core/interrupt.hpp"

#include <csignal>

namespace weir {

namespace {

std::atomic<bool> held{false};
std::atomic<bool> signalled{false};  ///< a signal that came while held

void note_signal(int) {
    signalled.store(true);  // set before checking whether signals are held: the end of holding sees one of the two
    if (!held.load()) {
        stop_requested.store(true, std::memory_order_relaxed);
    }
}

}  // namespace

std::atomic<bool> stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may set it");

HoldInterrupts::HoldInterrupts() : outermost_(!held.exchange(true)) {
    if (outermost_) {
        signalled.store(stop_requested.exchange(false));
    }
}

HoldInterrupts::~HoldInterrupts() {
    if (outermost_) {
        held.store(false);
        if (signalled.load()) {
            stop_requested.store(true);
        }
    }
}

void catch_interrupts() {
    struct sigaction action {};
    action.sa_handler = note_signal;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

Diagnosis interruption() {
    return {"interrupted", "a signal asked to stop",
            "Finished results are kept; `weir run` continues a study with the same command.", ExitCode::interrupted};
}

void throw_interrupted() { throw Error(interruption()); }

}  // namespace weir
