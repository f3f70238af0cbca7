#include "storage/backends/mpiio/shared_places.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "pattern/loops.hpp"

namespace weir {
namespace {

constexpr std::uint64_t word = 8;  ///< of stamps

/// Do no two ranks have the same nested strides?
bool are_displaced(Access const& access) { return access.ranks.count == 1 || !access.rank_levels.empty(); }

bool lists_in_rank_order(PieceLists const& lists) {
    std::uint64_t next = std::numeric_limits<std::uint64_t>::max();
    auto more = true;
    for (std::size_t round = 0; more; ++round) {
        more = false;
        for (std::uint64_t at = 0; at < lists.ranks(); ++at) {
            auto const pieces = lists.of(at);
            if (round >= pieces.size()) {
                continue;
            }
            more = true;
            next = next == std::numeric_limits<std::uint64_t>::max() ? pieces[round].offset : next;
            if (pieces[round].offset != next) {
                return false;
            }
            next += pieces[round].length;
        }
    }
    return true;
}

/// Is each rank's part contiguous, in its order?
bool is_contiguous(Access const& access) {
    if (access.lists.empty()) {
        return are_contiguous(access.extent.levels, access.extent.length);
    }
    for (std::uint64_t at = 0; at < access.lists.ranks(); ++at) {
        auto const pieces = access.lists.of(at);
        auto const gap = [](Piece const& a, Piece const& b) { return a.offset + a.length != b.offset; };
        if (std::ranges::adjacent_find(pieces, gap) != pieces.end()) {
            return false;
        }
    }
    return true;
}

struct Checker {
    Phase const& phase;
    bool has_own_pointer;  ///< each rank, since it has a file of its own

    void require(bool ok, std::string reason, char const* suggestion) const {
        validate(ok, fmt::format("pointer = shared cannot place the requests of phase '{}'", phase.name),
                 std::move(reason), suggestion);
    }

    void check(Access const& access) const {
        constexpr char const* other_pointer = "Choose pointer = explicit or individual.";
        require(!access.list_io && !access.part, "a request of many pieces has more than one place", other_pointer);
        require(access.order.kind == OrderKind::sequential, "the pointer only goes forward",
                "Choose offsets = sequential or strided, or another pointer.");
        require(phase.reorder.kind == ReorderKind::none, "ranks cannot choose to read what others wrote",
                "Choose reorder = none, or another pointer.");
        if (has_own_pointer) {
            require(is_contiguous(access), "the requests of a rank leave gaps", other_pointer);
        } else if (phase.is_collective(access)) {
            require(in_rank_order(access), "collective requests lie in the order of ranks, one of each a round",
                    "Choose offsets = strided, or a block of one transfer, or another pointer.");
        } else {
            check_independent(access);
        }
    }

    void check_independent(Access const& access) const {
        require(access.lists.empty(), "independent requests that differ in length lie anywhere",
                "Make them collective, or choose another pointer.");
        require(fill_without_gaps(access), "independent requests lie one behind the other, and these leave gaps",
                "Choose another pointer.");
        require(access.verb != Verb::mixed, "what a request reads could be a place that was not written",
                "Leave mixed out, or choose another pointer.");
        auto const whole_words = access.extent.length % word == 0 && access.extent.start % word == 0 &&
                                 std::ranges::all_of(access.advance, [](auto step) { return step % 8 == 0; });
        require(access.verb != Verb::check || whole_words,
                "which request wrote a place is told by its first word, and these have none",
                "Make lengths and offsets multiples of 8 B, or leave check out.");
    }
};

}  // namespace

bool in_rank_order(Access const& access) {
    if (!access.lists.empty()) {
        return lists_in_rank_order(access.lists);
    }
    auto levels = access.extent.levels;
    levels.insert(levels.end(), access.rank_levels.begin(), access.rank_levels.end());
    return are_displaced(access) && are_contiguous(levels, access.extent.length);
}

bool fill_without_gaps(Access const& access) {
    return access.lists.empty() && are_displaced(access) && is_dense(access);
}

std::uint64_t first_byte(Access const& access) {
    auto const& pieces = access.lists.all();
    auto const first = std::ranges::min_element(pieces, {}, &Piece::offset);
    return access.extent.start + (first == pieces.end() ? 0 : first->offset);
}

std::uint64_t first_byte(Access const& access, Rank rank) {
    if (access.lists.empty()) {
        return extent_of(access, rank).start;
    }
    auto const pieces = access.lists.of(access.ranks.index_of(rank));
    return access.extent.start + (pieces.empty() ? 0 : pieces.front().offset);
}

void refuse_other_places(Pattern const& pattern) {
    for (auto const& phase : pattern.phases) {
        each_access(phase.steps, [&](Access const& access, Loops const& loops) {
            for (auto const& [file, ignored] : files_reached(access.file, access.file_advance, {}, loops)) {
                Checker{phase, pattern.ranks == 1 || pattern.files[file].per_rank}.check(access);
            }
        });
    }
}

}  // namespace weir
