#include "array/exchange/background_writer.hpp"

namespace weir::array {

BackgroundWriter::~BackgroundWriter() {
    {
        std::scoped_lock const lock(mutex_);
        stop_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void BackgroundWriter::push(std::function<void()> job) {
    {
        std::scoped_lock const lock(mutex_);
        jobs_.push_back(std::move(job));
    }
    changed_.notify_all();
}

void BackgroundWriter::wait_until_idle() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return jobs_.empty() && !busy_; });
}

bool BackgroundWriter::idle() const {
    std::scoped_lock const lock(mutex_);
    return jobs_.empty() && !busy_;
}

void BackgroundWriter::work() {
    std::unique_lock lock(mutex_);
    while (true) {
        changed_.wait(lock, [this] { return stop_ || !jobs_.empty(); });
        if (jobs_.empty()) {
            return;
        }
        auto const job = std::move(jobs_.front());
        jobs_.pop_front();
        busy_ = true;
        lock.unlock();
        job();
        lock.lock();
        busy_ = false;
        changed_.notify_all();
    }
}

}  // namespace weir::array
