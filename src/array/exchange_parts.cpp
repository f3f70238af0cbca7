#include "array/exchange_parts.hpp"

#include <chrono>

namespace weir::array {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

Stopwatch::Stopwatch(double& sum) : sum_(sum), began_(now()) {}
Stopwatch::~Stopwatch() { sum_ += now() - began_; }

std::vector<Stretch> Exchange::Own::held(Region const& region, std::uint64_t round, std::uint64_t gap) const {
    std::vector<Window> shares;
    for (auto const& inlet : inlets) {
        shares.push_back(window(region, round, inlet));
    }
    return filled_by(shares, gap);
}

bool Exchange::Own::is_full(Region const& region, std::uint64_t round) const {
    auto const [from, to] = domain.window_at(round);
    std::uint64_t bytes = 0;
    for (auto const& stretch : held(region, round, 0)) {
        bytes += stretch.length;
    }
    return bytes == to - from;
}

Exchange::Own::Filling Exchange::Own::filling(Region const& region, std::uint64_t round) const {
    auto const [from, to] = domain.window_at(round);
    Filling filling;
    std::uint64_t filled = 0;
    for (auto const& inlet : inlets) {
        auto const bytes = window(region, round, inlet).bytes();
        filled += bytes;
        filling.near += inlet.near && bytes > 0 ? 1 : 0;
    }
    filling.full = filled >= to - from && (walked.empty() || walked[round]);
    return filling;
}

std::vector<Stretch> Exchange::Own::stretches(Region const& region, std::uint64_t round, bool full,
                                              std::uint64_t gap) const {
    return full ? all_of(region, domain.window_at(round)) : held(region, round, gap);
}

Exchange::Writer::~Writer() {
    {
        std::scoped_lock const lock(mutex_);
        stop_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void Exchange::Writer::push(std::function<void()> job) {
    {
        std::scoped_lock const lock(mutex_);
        jobs_.push_back(std::move(job));
    }
    changed_.notify_all();
}

void Exchange::Writer::wait_until_idle() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return jobs_.empty() && !busy_; });
}

bool Exchange::Writer::idle() const {
    std::scoped_lock const lock(mutex_);
    return jobs_.empty() && !busy_;
}

void Exchange::Writer::work() {
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
