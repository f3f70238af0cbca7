#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "core/quantity.hpp"

namespace weir {

/// A thread beside the main one, which works between pauses. It gets no signals: they are for the main thread. Owners
/// declare it last, so that what it uses outlives it.
class TickingThread {
  public:
    /// Starts it. std::system_error if the system has no thread left.
    explicit TickingThread(std::function<void(TickingThread&)> work);

    /// Ends its pause, and waits for its end.
    ~TickingThread();
    TickingThread(TickingThread const&) = delete;
    TickingThread& operator=(TickingThread const&) = delete;

    /// Called by the thread itself: false once it is to end.
    bool pause(Seconds);

  private:
    std::function<void(TickingThread&)> work_;
    std::mutex mutex_;
    std::condition_variable wakes_;
    bool ends_ = false;
    std::thread thread_;
};

}  // namespace weir
