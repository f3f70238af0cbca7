#include "bench/ticking_thread.hpp"

#include <pthread.h>

#include <chrono>
#include <csignal>
#include <utility>

namespace weir {
namespace {

/// This thread, and those that it starts meanwhile, get no signals.
class WithoutSignals {
  public:
    WithoutSignals() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~WithoutSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    WithoutSignals(WithoutSignals const&) = delete;
    WithoutSignals& operator=(WithoutSignals const&) = delete;

  private:
    sigset_t before_{};
};

}  // namespace

TickingThread::TickingThread(std::function<void(TickingThread&)> work) : work_(std::move(work)) {
    WithoutSignals const masked;
    thread_ = std::thread([this] { work_(*this); });
}

TickingThread::~TickingThread() {
    {
        std::lock_guard const lock(mutex_);
        ends_ = true;
    }
    wakes_.notify_one();
    thread_.join();
}

bool TickingThread::pause(Seconds length) {
    std::unique_lock lock(mutex_);
    return !wakes_.wait_for(lock, std::chrono::duration<double>(length.value), [this] { return ends_; });
}

}  // namespace weir
