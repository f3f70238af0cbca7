#include "bench/needed_room.hpp"

#include <algorithm>

#include "bench/file_uses.hpp"
#include "pattern/loops.hpp"

namespace weir {
namespace {

struct Deeds {
    bool limited = false;   ///< a write may end before it is complete
    bool reserves = false;  ///< space is taken whatever is written
    bool moves = false;     ///< files are removed or renamed, so that not all are there together
};

Deeds deeds_of(Pattern const& pattern) {
    Deeds deeds;
    for (auto const& phase : pattern.phases) {
        auto const timed = phase.time_limit.value > 0 || !phase.limited_by.empty();
        each_step(phase.steps, [&](Step const& step, Loops const&) {
            auto const* access = std::get_if<Access>(&step);
            auto const writes = access != nullptr && (access->verb == Verb::write || access->verb == Verb::mixed);
            deeds.limited = deeds.limited || (timed && writes);
            deeds.reserves = deeds.reserves || std::holds_alternative<Preallocate>(step);
            deeds.moves = deeds.moves || std::holds_alternative<Remove>(step) || std::holds_alternative<Rename>(step);
        });
    }
    return deeds;
}

}  // namespace

std::uint64_t least_room(Pattern const& pattern, std::uint64_t ranks_here) {
    auto const deeds = deeds_of(pattern);
    if (deeds.limited) {
        return 0;
    }
    auto const uses = file_uses(pattern);
    auto const sizes = file_sizes(pattern);
    std::uint64_t all = 0;
    std::uint64_t largest = 0;
    for (std::size_t file = 0; file < uses.size(); ++file) {
        auto const copies = pattern.files[file].per_rank ? std::min(ranks_here, pattern.ranks) : 1;
        auto const bytes = uses[file].created ? sizes[file] * copies : 0;
        all += bytes;
        largest = std::max(largest, bytes);
    }
    // Holes take none.
    auto const most = deeds.reserves ? all : totals(pattern).bytes_written;
    return std::min(deeds.moves ? largest : all, most);
}

}  // namespace weir
