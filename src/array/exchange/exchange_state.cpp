#include "array/exchange/exchange_state.hpp"

#include <algorithm>

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

DomainSlots::DomainSlots(FileDomain const& all) : domain(all), windows(all.windows()) {
    // The largest window, rounded up to cache lines.
    constexpr auto line = alignof(ControlBlock);
    slot_bytes = (std::min(domain.window, domain.end - domain.begin) + line - 1) / line * line;
}

void DomainSlots::map(std::byte* base) {
    control = reinterpret_cast<ControlBlock*>(base);
    slots = base + sizeof(ControlBlock);
}

std::vector<SlotExtent> Exchange::OwnDomain::held(Region const& region, std::uint64_t round) const {
    std::vector<Window> shares;
    for (auto const& member : members) {
        shares.push_back(window(region, round, member));
    }
    return extents_filled_by(shares);
}

std::vector<SlotExtent> Exchange::OwnDomain::with_holes(Region const& region, std::uint64_t round, Holes const& holes,
                                                        Sink& sink, std::byte* slot) {
    auto const filled = held(region, round);
    auto const extents = holes.all() ? joined(all_of(region, domain.window_at(round)), 0) : joined(filled, holes.gap());
    auto next = filled.begin();
    for (auto const& extent : extents) {
        auto const first = next;
        while (next != filled.end() && next->offset < extent.offset + extent.length) {
            ++next;
        }
        if (auto const gaps = holes_in(extent, {first, next}); !gaps.empty()) {
            holes.supply(sink, extent, {slot + extent.offset, extent.length}, gaps, scratch);
        }
    }
    return extents;
}

bool Exchange::OwnDomain::is_full(Region const& region, std::uint64_t round) const {
    auto const [from, to] = domain.window_at(round);
    std::uint64_t bytes = 0;
    for (auto const& extent : held(region, round)) {
        bytes += extent.length;
    }
    return bytes == to - from;
}

Exchange::OwnDomain::Filling Exchange::OwnDomain::filling(Region const& region, std::uint64_t round) const {
    auto const [from, to] = domain.window_at(round);
    Filling filling;
    std::uint64_t filled = 0;
    for (auto const& member : members) {
        auto const bytes = window(region, round, member).bytes();
        filled += bytes;
        filling.same_node += member.same_node && bytes > 0 ? 1 : 0;
    }
    filling.full = filled >= to - from && (exactly_full.empty() || exactly_full[round]);
    return filling;
}

}  // namespace weir::array
