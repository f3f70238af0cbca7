// Collective reads and writes.

#include <algorithm>
#include <iterator>
#include <limits>
#include <tuple>
#include <utility>

#include "sim/simulation.hpp"

namespace weir::sim {
namespace {

struct Hull {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

Hull hull_of(ArrayPart const& part) {
    auto const& rows = part.by.same;
    auto const begin = part.what.offset.value_or(0);
    auto const bytes = bytes_of(part.what);
    if (!rows || part.what.shape.empty() || part.what.shape.front() == 0) {
        return {begin, begin + bytes};
    }
    auto const row = bytes / part.what.shape.front();
    return {begin + rows->first * row, begin + (rows->first + rows->count) * row};
}

Hull hull_of(PieceLists const& lists, std::uint64_t start) {
    Hull hull{std::numeric_limits<std::uint64_t>::max(), 0};
    for (auto const& piece : lists.all()) {
        if (piece.length > 0) {
            hull = {std::min(hull.begin, piece.offset), std::max(hull.end, piece.offset + piece.length)};
        }
    }
    return hull.end == 0 ? Hull() : Hull{start + hull.begin, start + hull.end};
}

/// How far strides lead below where they start.
std::uint64_t below_start(std::vector<Level> const& levels) {
    std::uint64_t below = 0;
    for (auto const& level : levels) {
        below += level.stride < 0 ? (level.count - 1) * static_cast<std::uint64_t>(-level.stride) : 0;
    }
    return below;
}

/// Where the bytes of all ranks begin and end.
Hull hull_of(Access const& access) {
    if (access.part) {
        return hull_of(*access.part);
    }
    if (!access.lists.empty()) {
        return hull_of(access.lists, access.extent.start);
    }
    return {access.extent.start - below_start(access.rank_levels) - below_start(access.extent.levels), end_of(access)};
}

/// Takes the next request of each rank that has one more: where they lie, and their bytes.
std::pair<Hull, std::uint64_t> next_of(CollectiveAccess& one) {
    Hull hull{std::numeric_limits<std::uint64_t>::max(), 0};
    std::uint64_t bytes = 0;
    one.asking.clear();
    one.most_bytes = 0;
    for (std::size_t i = 0; i < one.ranks.size(); ++i) {
        Operation next;
        if (!(*one.left)[i].next(next)) {
            continue;
        }
        one.asking.push_back(one.ranks[i]);
        bytes += next.length;
        one.most_bytes = std::max(one.most_bytes, next.length);
        if (next.length > 0) {
            hull = {std::min(hull.begin, next.offset), std::max(hull.end, next.offset + next.length)};
        }
    }
    return {bytes > 0 ? hull : Hull(), bytes};
}

}  // namespace

std::uint64_t Simulation::callers_of(Instruction const& at) const {
    return at.callers == nullptr ? at.access->ranks.count : size_of(*at.callers, pattern_.ranks);
}

bool Simulation::is_collective(Instruction const& at) const {
    auto const& access = *at.access;
    return phase_->is_collective(access) && callers_of(at) > 1 && !pattern_.files[access.file].per_rank &&
           access.verb != Verb::mixed && use_.collective;
}

/// A rank comes to a collective access; the last one begins it.
bool Simulation::join_collective(std::uint32_t rank, double now, Instruction const& at) {
    auto const& access = *at.access;
    auto const number = program_->of(acting(rank))[ranks_[rank].next];
    auto& there = gathered_[number];
    there.push_back(rank);
    if (there.size() < callers_of(at)) {
        return false;
    }
    auto const id = static_cast<std::uint32_t>(collectives_.size());
    auto& made = collectives_.emplace_back();
    made.ranks = std::move(gathered_.extract(number).mapped());
    std::sort(made.ranks.begin(), made.ranks.end());
    made.file = file_number(access.file, 0);
    made.reads = access.verb != Verb::write;
    made.access = &access;
    if (!access.list_io) {
        made.left = std::make_unique<std::deque<Operations>>();
        for (auto const other : made.ranks) {
            made.left->emplace_back(access, Rank{acting(other)});
        }
    }
    if (!begin_call(id, now)) {
        end_collective(id, now);
    }
    return false;
}

bool Simulation::begin_call(std::uint32_t id, double now) {
    auto& one = collectives_[id];
    if (phase_->time_limit.value > 0 && now - phase_began_ > phase_->time_limit.value) {
        return false;
    }
    Hull hull;
    if (one.left) {
        std::tie(hull, one.bytes) = next_of(one);
        if (one.asking.empty()) {
            return false;
        }
    } else if (one.asking.empty()) {
        hull = hull_of(*one.access);
        one.bytes = volume(*one.access).bytes;
        one.most_bytes = one.bytes / one.access->ranks.count;
        std::copy_if(one.ranks.begin(), one.ranks.end(), std::back_inserter(one.asking),
                     [&](std::uint32_t rank) { return one.access->ranks.contains(Rank{acting(rank)}); });
    } else {
        return false;
    }
    std::tie(one.begin, one.end) = std::pair(hull.begin, hull.end);
    auto const& storage = machine_.storage;
    auto const length = hull.end - hull.begin;
    auto const ranks = static_cast<std::uint64_t>(one.ranks.size());
    auto const most = storage.aggregators == 0 ? storage.stripes : storage.aggregators;
    one.round = 0;
    one.aggregators = std::clamp<std::uint64_t>(std::min(most, ranks), 1, std::max<std::uint64_t>(length, 1));
    one.buffer = storage.collective_buffer;
    auto const& network = machine_.network;
    auto const bytes = static_cast<double>(std::min(one.buffer, length / one.aggregators));
    auto const levels = MetadataServers::levels(ranks);
    one.round_s = static_cast<double>(ranks) * storage.collective_rank * crowded_ + levels * network.latency +
                  bytes / std::min(network.link, network.bandwidth);
    agenda_.add(now + (one.reads ? 0 : one.round_s), {Event::Kind::round, id});
    return true;
}

/// All aggregators' requests of a round.
void Simulation::move_round(std::uint32_t id, double now) {
    auto& one = collectives_[id];
    auto const apart = static_cast<std::uint64_t>(one.ranks.size()) / one.aggregators;
    for (std::uint64_t i = 0; i < one.aggregators; ++i) {
        auto const part = one.part(i);
        for (Chunks chunks(striping(one.file), part.offset, part.bytes, machine_.storage.request); !chunks.empty();) {
            auto const request = new_request(one.ranks[i * apart], one.reads, one.file, chunks.next());
            requests_[request].collective = id + 1;
            ++one.pending;
            start(request,
                  now);  // aggregators have parts that do not lie between those of others: none waits for a lock
        }
    }
    if (one.pending == 0) {
        end_round(id, now);
    }
}

void Simulation::end_round(std::uint32_t id, double now) {
    auto& one = collectives_[id];
    ++one.round;
    auto const after = now + one.round_s;
    if (one.round < one.rounds()) {
        agenda_.add(after, {Event::Kind::round, id});
        return;
    }
    auto const end = one.reads ? after : now + MetadataServers::levels(one.ranks.size()) * machine_.network.latency;
    auto& total = tally(one.reads ? Doing::read : Doing::write);
    for (auto const rank : one.asking) {
        total.note(end - ranks_[rank].began, 0);
    }
    total.bytes += one.bytes;
    auto const next = after_call(one, end);
    for (auto const rank : one.ranks) {
        ranks_[rank].began = next;
    }
    if (!begin_call(id, next)) {
        end_collective(id, next);
    }
}

/// When ranks go on that have made a call: behind a sync of each, or a pause. Lists have these once, behind all.
double Simulation::after_call(CollectiveAccess const& one, double end) {
    auto const& access = *one.access;
    auto after = end;
    if (access.sync_each) {
        auto const written = flushed(one.file, end);
        for (std::size_t i = 0; i < one.asking.size(); ++i) {
            after = std::max(after, metadata_.serve(written, one.file, metadata_.rules().sync));
            tally(Doing::sync).note(after - end);
        }
    }
    auto const most = static_cast<double>(access.pace.most_per_second.value);
    auto const least = most == 0 ? 0 : static_cast<double>(one.most_bytes) / most;
    return std::max(after, ranks_[one.asking.front()].began + least) + access.pace.think.value;
}

/// All ranks go on then.
void Simulation::end_collective(std::uint32_t id, double end) {
    auto& one = collectives_[id];
    for (auto const rank : one.ranks) {
        ++ranks_[rank].next;
        agenda_.add(end, {Event::Kind::rank, rank});
    }
    one = {};
}

}  // namespace weir::sim
