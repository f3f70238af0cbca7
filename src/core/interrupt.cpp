#include "core/interrupt.hpp"

#include <csignal>

#include "core/error.hpp"

namespace weir {

std::atomic<bool> stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may set it");

void catch_interrupts() {
    struct sigaction action {};
    action.sa_handler = [](int) { stop_requested.store(true, std::memory_order_relaxed); };
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

void throw_interrupted() {
    throw Error({"interrupted", "a signal asked to stop", "What was finished is kept; run the same command to go on.",
                 ExitCode::interrupted});
}

}  // namespace weir
