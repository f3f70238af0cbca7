#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <new>
#include <thread>

namespace weir::array {

/// Runs jobs, the writes of windows, in a thread, in order. They make no MPI call.
class BackgroundWriter {
  public:
    BackgroundWriter() : thread_([this] { work(); }) {}
    ~BackgroundWriter();

    /// Without memory to queue a job, runs it in the calling thread, after all queued before it.
    template <class Job>
    void submit(Job const& job) {
        try {
            push(job);
        } catch (std::bad_alloc const&) {
            wait_until_idle();
            job();
        }
    }
    void wait_until_idle();
    [[nodiscard]] bool idle() const;

  private:
    void push(std::function<void()> job);
    void work();
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> jobs_;
    bool busy_ = false;
    bool stop_ = false;
    std::thread thread_;
};

}  // namespace weir::array
