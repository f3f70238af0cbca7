#include "pattern/access.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/error.hpp"

namespace weir {

namespace {

/// For mixed requests, how many of the first `count` are reads.
std::uint64_t reads_among(Access const& access, std::uint64_t count) {
    constexpr std::uint64_t hundred = 100;
    return count / hundred * access.read_percent + count % hundred * access.read_percent / hundred;
}

/// Splits a volume by direction, if all requests have the same length.
Volume split(Access const& access, Volume all, std::uint64_t ranks) {
    if (access.verb == Verb::read || access.verb == Verb::check) {
        all.read_requests = all.requests;
        all.read_bytes = all.bytes;
    } else if (access.verb == Verb::mixed && all.requests > 0) {
        all.read_requests = ranks * reads_among(access, all.requests / ranks);
        all.read_bytes = all.read_requests * (all.bytes / all.requests);
    }
    return all;
}

/// Mixed requests of a list may differ in length, so they are summed one by one.
Volume volume_of_list(Access const& access, std::uint64_t position) {
    auto const list = access.lists.of(position);
    auto const requests = access.list_io ? std::min<std::uint64_t>(list.size(), 1) : list.size();
    Volume all{list.size(), requests, sum_of_lengths(list)};
    if (access.verb != Verb::mixed) {
        return split(access, all, 1);
    }
    for (std::uint64_t turn = 0; turn < list.size(); ++turn) {
        if (reads_at(access, turn)) {
            ++all.read_requests;
            all.read_bytes += list[turn].length;
        }
    }
    return all;
}

/// The ranks whose parts this one accesses, as [first, end), in the order of the partition.
std::pair<std::uint64_t, std::uint64_t> places_of(Access const& access, std::uint64_t position) {
    auto const& part = *access.part;
    if (part.ranks_per_group == 0) {
        return {position, position + 1};
    }
    auto const root = rank_at(access, position).value;
    return part.member ? std::pair(root + *part.member, root + *part.member + 1)
                       : std::pair(root, std::min(root + part.ranks_per_group, part.ranks));
}

/// The ranks that the array is divided among.
std::uint64_t divided_among(Access const& access) {
    return access.part->ranks_per_group > 0 ? access.part->ranks : access.ranks.count;
}

/// Parts that follow one another along the slowest dimension, as one.
Section joined(std::vector<Section> const& parts) {
    auto whole = parts.front();
    for (std::size_t i = 1; i < parts.size(); ++i) {
        whole.dim[0].owned += parts[i].dim[0].owned;
    }
    whole.dim[0].block = whole.dim[0].stride = std::max<std::uint64_t>(whole.dim[0].owned, 1);
    return whole;
}

std::vector<Section> sections_at(Access const& access, std::uint64_t position) {
    auto const& [what, by] = std::tie(access.part->what, access.part->by);
    auto const [first, end] = places_of(access, position);
    std::vector<Section> sections;
    std::uint64_t bytes = 0;
    for (auto place = first; place < (by.same ? first + 1 : end); ++place) {
        sections.push_back(part_of(what, by, place, divided_among(access)));
        sections.back().memory = static_cast<std::int64_t>(bytes);
        bytes += sections.back().bytes();
    }
    return by.counts.empty() ? sections : std::vector{joined(sections)};
}

Volume volume_of_part(Access const& access, std::uint64_t position) {
    Volume all;
    auto const& by = access.part->by;
    if (!by.counts.empty()) {  // without adding up the counts before them
        auto const& what = access.part->what;
        auto const [first, end] = places_of(access, position);
        for (auto place = first; place < end; ++place) {
            all.bytes += by.counts[place % by.counts.size()];
        }
        all.pieces = all.bytes > 0 ? 1 : 0;
        all.bytes *= what.shape[0] > 0 ? bytes_of(what) / what.shape[0] : 0;
    } else {
        for (auto const& section : sections_at(access, position)) {
            all.pieces += count_runs(section);
            all.bytes += section.bytes();
        }
    }
    all.requests = all.bytes > 0 ? 1 : 0;
    return split(access, all, 1);
}

/// The volume of one rank, at this position among the participating ranks, for a list or an array.
Volume volume_at(Access const& access, std::uint64_t position) {
    return access.part ? volume_of_part(access, position) : volume_of_list(access, position);
}

/// Do all participating ranks have the same number of pieces, of one length?
bool is_nest(Access const& access) { return access.lists.empty() && !access.part; }

std::uint64_t pieces_of_nest(Access const& access) {
    return draws(access.order.kind) ? access.order.draws : pieces(access.extent.levels);
}

Volume multiplied(Volume const& one, std::uint64_t ranks) {
    return {ranks * one.pieces, ranks * one.requests, ranks * one.bytes, ranks * one.read_requests,
            ranks * one.read_bytes};
}

/// Of this many ranks with equal volumes.
Volume volume_of_nest(Access const& access, std::uint64_t ranks) {
    auto const pieces = ranks * pieces_of_nest(access);
    return split(access, {pieces, access.list_io ? ranks : pieces, pieces * access.extent.length}, ranks);
}

}  // namespace

bool reads_at(Access const& access, std::uint64_t turn) {
    return reads_among(access, turn + 1) > reads_among(access, turn);
}

std::uint64_t pieces_of(Access const& access, Rank rank) {
    if (!access.ranks.contains(rank)) {
        return 0;
    }
    return is_nest(access) ? pieces_of_nest(access) : volume_at(access, access.ranks.index_of(rank)).pieces;
}

Volume volume(Access const& access) {
    if (is_nest(access)) {
        return volume_of_nest(access, access.ranks.count);
    }
    if (access.part && access.part->by.same) {
        return multiplied(volume_at(access, 0), access.ranks.count);
    }
    Volume sum;
    for (std::uint64_t position = 0; position < access.ranks.count; ++position) {
        auto const one = volume_at(access, position);
        sum = {sum.pieces + one.pieces, sum.requests + one.requests, sum.bytes + one.bytes,
               sum.read_requests + one.read_requests, sum.read_bytes + one.read_bytes};
    }
    return sum;
}

Volume volume(Access const& access, Rank rank) {
    if (!access.ranks.contains(rank)) {
        return {};
    }
    return is_nest(access) ? volume_of_nest(access, 1) : volume_at(access, access.ranks.index_of(rank));
}

std::uint64_t largest_request(Access const& access) {
    if (access.part) {
        std::uint64_t largest = 0;
        auto const count = access.part->by.same ? 1 : access.ranks.count;
        for (std::uint64_t position = 0; position < count; ++position) {
            largest = std::max(largest, volume_of_part(access, position).bytes);
        }
        return largest;
    }
    if (access.lists.empty()) {
        return access.extent.length * (access.list_io ? volume_of_nest(access, 1).pieces : 1);
    }
    std::uint64_t largest = 0;
    for (std::uint64_t position = 0; access.list_io && position < access.lists.ranks(); ++position) {
        largest = std::max(largest, sum_of_lengths(access.lists.of(position)));
    }
    for (auto const& piece : access.lists.all()) {
        largest = std::max(largest, piece.length);
    }
    return largest;
}

std::vector<Section> sections_of(Access const& access, Rank rank) {
    expect(access.part && access.ranks.contains(rank), "the rank has a part of an array");
    return sections_at(access, access.ranks.index_of(rank));
}

Rank rank_at(Access const& access, std::uint64_t position) {
    return Rank{access.ranks.first + position * access.ranks.step};
}

Extent extent_of(Access const& access, Rank rank) {
    expect(access.ranks.contains(rank), "the rank takes part in the access");
    auto extent = access.extent;
    auto const shift = displacement(access.rank_levels, access.ranks.index_of(rank));
    extent.start = static_cast<std::uint64_t>(static_cast<std::int64_t>(extent.start) + shift);
    return extent;
}

bool is_dense(Access const& access) {
    auto levels = access.extent.levels;
    levels.insert(levels.end(), access.rank_levels.begin(), access.rank_levels.end());
    std::ranges::sort(levels, std::ranges::greater(), &Level::stride);
    return are_contiguous(levels, access.extent.length);
}

std::uint64_t end_of(Access const& access) {
    if (access.part) {
        auto const& array = access.part->what;
        return array.offset ? *array.offset + bytes_of(array) : 0;
    }
    if (!access.lists.empty()) {
        std::uint64_t end = 0;
        for (auto const& piece : access.lists.all()) {
            end = std::max(end, piece.offset + piece.length);
        }
        return access.extent.start + end;
    }
    auto whole = access.extent;
    whole.levels.insert(whole.levels.begin(), access.rank_levels.begin(), access.rank_levels.end());
    return end_of(whole);
}

}  // namespace weir
