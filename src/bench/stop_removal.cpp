#include "bench/stop_removal.hpp"

#include <fmt/format.h>

#include <system_error>
#include <utility>

#include "core/interrupt.hpp"
#include "core/terminal_text.hpp"

namespace weir {
namespace {

constexpr Seconds tick{0.05};
constexpr int patience = 2;  ///< ticks from a stop request to the removal

}  // namespace

StopRemoval::StopRemoval(std::filesystem::path directory, Speaks speaks)
    : directory_(std::move(directory)), speaks_(speaks) {
    try {
        thread_ = std::make_unique<TickingThread>([this](TickingThread& thread) { watch(thread); });
    } catch (std::system_error const&) {  // the directory is removed when all ranks have ended
    }
}

void StopRemoval::watch(TickingThread& thread) const {
    int waited = 0;
    bool said = false;
    while (thread.pause(tick)) {
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
