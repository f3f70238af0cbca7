#include "sim/flows.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace weir::sim {
namespace {

/// Ends nearer to each other than this, of their time, are one: rates are only as exact as doubles are.
constexpr double same_time = 1e-12;

/// Passes over all flows before the rest is computed link by link. Through a bisection 512 ranks need up to four.
constexpr int most_passes = 8;

}  // namespace

Flows::Link Flows::add_link(double bytes_per_s) {
    links_.push_back({bytes_per_s});
    return static_cast<Link>(links_.size() - 1);
}

void Flows::mark(Link link) {
    if (!links_[link].changed) {
        links_[link].changed = true;
        changed_.push_back(link);
    }
}

void Flows::begin(double now, std::span<Link const> path, double bytes, double most, std::uint32_t what) {
    now_ = now;
    if (unused_.empty()) {
        unused_.push_back(static_cast<FlowId>(flows_.size()));
        flows_.emplace_back();
    }
    auto const id = unused_.back();
    unused_.pop_back();
    auto& flow = flows_[id];
    flow.what = what;
    flow.left = bytes;
    flow.rate = 0;
    flow.since = now;
    flow.most = most;
    flow.links = 0;
    for (auto const link : path) {
        if (std::isfinite(links_[link].capacity)) {
            flow.path[flow.links] = link;
            flow.place[flow.links++] = static_cast<std::uint32_t>(links_[link].flows.size());
            links_[link].flows.push_back(id);
            mark(link);
        }
        links_[link].passed += bytes;
    }
    if (flow.links == 0) {
        alone_.push_back(id);
    }
}

double Flows::next() {
    if (taken_ < ended_.size()) {
        return now_;
    }
    share();
    return ends_.empty() ? std::numeric_limits<double>::infinity() : flows_[ends_.front()].ends;
}

std::uint32_t Flows::take() {
    if (taken_ < ended_.size()) {
        return ended_[taken_++];
    }
    ended_.clear();
    taken_ = 0;
    now_ = next();
    auto const until = now_ * (1 + same_time);
    while (!ends_.empty() && flows_[ends_.front()].ends <= until) {
        auto const id = ends_.front();
        remove_end(id);
        ended_.push_back(flows_[id].what);
        finish(id);
    }
    return ended_[taken_++];
}

void Flows::finish(FlowId id) {
    auto& flow = flows_[id];
    for (std::uint32_t i = 0; i < flow.links; ++i) {
        auto& on = links_[flow.path[i]].flows;
        auto const last = on.back();
        on[flow.place[i]] = last;
        on.pop_back();
        auto& moved = flows_[last];
        for (std::uint32_t j = 0; j < moved.links; ++j) {
            if (moved.path[j] == flow.path[i]) {
                moved.place[j] = flow.place[i];
            }
        }
        mark(flow.path[i]);
    }
    unused_.push_back(id);
}

/// Computes the rates of all flows that are connected with what has changed.
void Flows::share() {
    for (auto const id : std::exchange(alone_, {})) {
        give(id, flows_[id].most);
    }
    if (changed_.empty()) {
        return;
    }
    collect();
    fill();
}

void Flows::collect() {
    part_links_.clear();
    part_flows_.clear();
    for (auto const link : changed_) {
        links_[link].changed = false;
        if (!links_[link].seen) {
            links_[link].seen = true;
            part_links_.push_back(link);
        }
    }
    changed_.clear();
    for (std::size_t i = 0; i < part_links_.size(); ++i) {
        for (auto const id : links_[part_links_[i]].flows) {
            auto& flow = flows_[id];
            if (std::exchange(flow.open, true)) {
                continue;
            }
            part_flows_.push_back(id);
            for (std::uint32_t j = 0; j < flow.links; ++j) {
                if (!std::exchange(links_[flow.path[j]].seen, true)) {
                    part_links_.push_back(flow.path[j]);
                }
            }
        }
    }
}

/// Most rates are found in a few passes over all flows; those that depend on each other in long chains, in their order.
void Flows::fill() {
    for (auto const link : part_links_) {
        auto& state = links_[link];
        state.seen = false;
        state.left = state.capacity;
        state.open = static_cast<std::uint32_t>(state.flows.size());
    }
    for (int passes = 0; passes < most_passes && !part_flows_.empty(); ++passes) {
        fill_bottlenecks();
    }
    if (!part_flows_.empty()) {
        fill_in_order();
    }
}

/// A link is the bottleneck of all its flows if none of them has a smaller share elsewhere, or a lower limit of its
/// own: what others get later only leaves more elsewhere. So its share is their rate, as a flow's own limit is if no
/// link has less for it.
void Flows::fill_bottlenecks() {
    for (auto const link : part_links_) {
        auto& state = links_[link];
        state.share = state.left / state.open;
        state.least = std::numeric_limits<double>::infinity();
    }
    for (auto const id : part_flows_) {
        auto& flow = flows_[id];
        flow.may = flow.most;
        for (std::uint32_t i = 0; i < flow.links; ++i) {
            flow.may = std::min(flow.may, links_[flow.path[i]].share);
        }
        for (std::uint32_t i = 0; i < flow.links; ++i) {
            auto& state = links_[flow.path[i]];
            state.least = std::min(state.least, flow.may);
        }
    }
    std::erase_if(part_flows_, [&](FlowId id) {
        auto const& flow = flows_[id];
        bool is_known = flow.may == flow.most;
        for (std::uint32_t i = 0; i < flow.links; ++i) {
            auto const& state = links_[flow.path[i]];
            is_known = is_known || (state.share == flow.may && state.least == state.share);
        }
        if (is_known) {
            settle(id, flow.may);
        }
        return is_known;
    });
}

/// Progressive filling: the link with the least share for each of its flows decides their rates, and so on.
void Flows::fill_in_order() {
    auto& shares = shares_;
    shares.clear();
    auto const share_of = [&](Link link) { return links_[link].left / links_[link].open; };
    for (auto const link : part_links_) {
        if (links_[link].open > 0) {
            shares.emplace_back(share_of(link), link);
        }
    }
    std::make_heap(shares.begin(), shares.end(), std::greater<>());
    sort_limited();
    std::size_t next_limited = 0;
    while (!shares.empty()) {
        std::pop_heap(shares.begin(), shares.end(), std::greater<>());
        auto const [share, link] = shares.back();
        shares.pop_back();
        if (links_[link].open == 0) {
            continue;
        }
        if (auto const current = share_of(link); current > share) {
            shares.emplace_back(current, link);
            std::push_heap(shares.begin(), shares.end(), std::greater<>());
            continue;
        }
        while (next_limited < limited_.size() && !flows_[limited_[next_limited]].open) {
            ++next_limited;
        }
        if (next_limited < limited_.size() && flows_[limited_[next_limited]].most < share) {
            settle(limited_[next_limited], flows_[limited_[next_limited]].most);
            shares.emplace_back(links_[link].open > 0 ? share_of(link) : share, link);
            std::push_heap(shares.begin(), shares.end(), std::greater<>());
            continue;
        }
        for (auto const id : links_[link].flows) {
            if (flows_[id].open) {
                settle(id, share);
            }
        }
    }
}

/// Gives an open flow its rate, which its links have no more for others.
void Flows::settle(FlowId id, double rate) {
    auto& flow = flows_[id];
    flow.open = false;
    for (std::uint32_t i = 0; i < flow.links; ++i) {
        auto& state = links_[flow.path[i]];
        state.left = std::max(0.0, state.left - rate);
        --state.open;
    }
    give(id, rate);
}

/// Flows have few different limits of their own: each turn takes those of the next one.
void Flows::sort_limited() {
    limited_.clear();
    auto at_least = 0.0;
    while (limited_.size() < part_flows_.size()) {
        auto least = std::numeric_limits<double>::infinity();
        for (auto const id : part_flows_) {
            least = flows_[id].most >= at_least ? std::min(least, flows_[id].most) : least;
        }
        for (auto const id : part_flows_) {
            if (flows_[id].most == least) {
                limited_.push_back(id);
            }
        }
        at_least = std::nextafter(least, std::numeric_limits<double>::infinity());
    }
}

void Flows::give(FlowId id, double rate) {
    auto& flow = flows_[id];
    if (flow.rate == rate && flow.slot != no_slot) {
        return;  // it ends when it would have
    }
    flow.left = std::max(0.0, flow.left - flow.rate * (now_ - flow.since));
    flow.since = now_;
    flow.rate = rate;
    flow.ends = std::isfinite(rate) ? now_ + flow.left / rate : now_;
    settle_end(id);
}

bool Flows::ends_before(FlowId one, FlowId other) const {
    auto const& a = flows_[one];
    auto const& b = flows_[other];
    return a.ends < b.ends || (a.ends == b.ends && one < other);
}

void Flows::move_end(std::uint32_t slot, FlowId id) {
    ends_[slot] = id;
    flows_[id].slot = slot;
}

/// Brings a flow to its place among the ends.
void Flows::settle_end(FlowId id) {
    auto slot = flows_[id].slot;
    if (slot == no_slot) {
        slot = static_cast<std::uint32_t>(ends_.size());
        ends_.push_back(id);
    }
    while (slot > 0 && ends_before(id, ends_[(slot - 1) / 2])) {
        auto const above = (slot - 1) / 2;
        move_end(slot, ends_[above]);
        slot = above;
    }
    for (auto below = 2 * slot + 1; below < ends_.size(); below = 2 * slot + 1) {
        below += below + 1 < ends_.size() && ends_before(ends_[below + 1], ends_[below]) ? 1 : 0;
        if (!ends_before(ends_[below], id)) {
            break;
        }
        move_end(slot, ends_[below]);
        slot = below;
    }
    move_end(slot, id);
}

void Flows::remove_end(FlowId id) {
    auto const slot = flows_[id].slot;
    auto const last = ends_.back();
    ends_.pop_back();
    flows_[id].slot = no_slot;
    if (last != id) {
        move_end(slot, last);
        settle_end(last);
    }
}

}  // namespace weir::sim
