// Collective reads and writes.

#include <algorithm>
#include <limits>

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

}  // namespace

bool Simulation::is_collective(Access const& access) const {
    return phase_->is_collective(access) && access.ranks.count > 1 && !pattern_.files[access.file].per_rank &&
           access.verb != Verb::mixed && use_.collective;
}

/// A rank comes to a collective access; the last one begins it.
bool Simulation::join_collective(std::uint32_t rank, double now, Access const& access) {
    auto const number = program_->of(acting(rank))[ranks_[rank].next];
    auto& there = gathered_[number];
    there.push_back(rank);
    if (there.size() < access.ranks.count) {
        return false;
    }
    auto const& storage = machine_.storage;
    auto const [begin, end] = hull_of(access);
    auto const id = static_cast<std::uint32_t>(collectives_.size());
    auto& made = collectives_.emplace_back();
    made.ranks = std::move(gathered_.extract(number).mapped());
    std::sort(made.ranks.begin(), made.ranks.end());
    made.file = file_number(access.file, 0);
    made.reads = access.verb != Verb::write;
    std::tie(made.begin, made.end) = std::pair(begin, end);
    auto const ranks = static_cast<std::uint64_t>(made.ranks.size());
    auto const most = storage.aggregators == 0 ? storage.stripes : storage.aggregators;
    made.aggregators = std::clamp<std::uint64_t>(std::min(most, ranks), 1, std::max<std::uint64_t>(end - begin, 1));
    made.buffer = storage.collective_buffer;
    auto const& network = machine_.network;
    auto const bytes = static_cast<double>(std::min(made.buffer, (end - begin) / made.aggregators));
    auto const levels = MetadataServers::levels(ranks);
    made.round_s = static_cast<double>(ranks) * storage.collective_rank * crowded_ + levels * network.latency +
                   bytes / std::min(network.link, network.bandwidth);
    agenda_.add(now + (made.reads ? 0 : made.round_s), {Event::Kind::round, id});
    return false;
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
    auto const& access = *instruction(one.ranks.front()).access;
    auto& total = tally(one.reads ? Doing::read : Doing::write);
    for (auto const rank : one.ranks) {
        auto& me = ranks_[rank];
        total.note(end - me.began, 0);
        ++me.next;
        agenda_.add(end, {Event::Kind::rank, rank});
    }
    total.bytes += volume(access).bytes;
    one.ranks = {};
}

}  // namespace weir::sim
