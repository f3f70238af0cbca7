#include "bench/stop_removal.hpp"

#include <fmt/format.h>
#include <pthread.h>

#include <chrono>
#include <csignal>
#include <system_error>
#include <utility>

#include "core/interrupt.hpp"
#include "core/terminal_text.hpp"

namespace weir {
namespace {

constexpr auto tick = std::chrono::milliseconds(50);
constexpr int patience = 2;  ///< ticks from a stop request to the removal

}  // namespace

StopRemoval::StopRemoval(std::filesystem::path directory, Speaks speaks)
    : directory_(std::move(directory)), speaks_(speaks) {
    // Signals are for the main thread.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
        thread_ = std::thread([this] { watch(); });
    } catch (std::system_error const&) {  // the directory is removed when all ranks have ended
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

StopRemoval::~StopRemoval() {
    {
        std::lock_guard const lock(mutex_);
        ends_ = true;
    }
    wakes_.notify_one();
    if (thread_.joinable()) {
        thread_.join();
    }
}

bool StopRemoval::pause() {
    std::unique_lock lock(mutex_);
    return !wakes_.wait_for(lock, tick, [this] { return ends_; });
}

void StopRemoval::watch() {
    int waited = 0;
    bool said = false;
    while (pause()) {
        waited = stop_requested.load(std::memory_order_relaxed) ? waited + 1 : 0;
        if (waited < patience) {
            continue;
        }
        // Again and again: a rank that has not yet heard of the end may make another file.
        std::error_code error;
        auto const removed = std::filesystem::remove_all(directory_, error);
        if (removed > 0 && speaks_ == Speaks::yes && !std::exchange(said, true)) {
            say(fmt::format("interrupted: '{}' was removed without waiting for ranks that are still busy",
                            directory_.string()));
        }
    }
}

}  // namespace weir
