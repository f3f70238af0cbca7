#include "pattern/cache_fill.hpp"

#include <algorithm>

#include "pattern/loops.hpp"

namespace weir {
namespace {

bool writes(Phase const& phase) {
    bool writes = false;
    each_access(phase.steps, [&](Access const& access, Loops const&) {
        writes = writes || access.verb == Verb::write || access.verb == Verb::mixed;
    });
    return writes;
}

/// Pages that the phase touches, in bytes: a piece may begin and end within a page. A double, since sums cannot
/// overflow.
double bytes_touched(Phase const& phase) {
    constexpr double page = 4096;
    double sum = 0;
    each_access(phase.steps, [&](Access const& access, Loops const& loops) {
        auto const one = volume(access);
        sum += static_cast<double>(times(loops)) *
               (static_cast<double>(one.bytes) + 2 * page * static_cast<double>(one.pieces));
    });
    return sum;
}

std::uint64_t at_most(std::uint64_t bytes, double bound) {
    return bound < static_cast<double>(bytes) ? static_cast<std::uint64_t>(bound) : bytes;
}

}  // namespace

CacheFill cache_fill(Pattern pattern) {
    auto const on_disk = totals(pattern).bytes_on_disk;
    if (std::any_of(pattern.phases.begin(), pattern.phases.end(), writes)) {
        std::erase_if(pattern.phases, [](Phase const& phase) { return !writes(phase); });
    }
    double touched = 0;
    for (auto const& phase : pattern.phases) {
        touched += bytes_touched(phase);
    }
    CacheFill fill{at_most(on_disk, touched)};
    if (auto const time = time_bound(pattern)) {
        auto const ranks = static_cast<double>(pattern.ranks);
        auto const one_each = ranks * static_cast<double>(largest_request(pattern));
        fill.rank_time = Seconds{ranks * time->value};
        fill.last_requests = at_most(fill.bytes, static_cast<double>(pattern.phases.size()) * one_each);
    }
    return fill;
}

std::uint64_t bytes_at_rate(CacheFill const& fill, double rank_bytes_per_s) {
    if (!fill.rank_time) {
        return fill.bytes;
    }
    return at_most(fill.bytes, static_cast<double>(fill.last_requests) + fill.rank_time->value * rank_bytes_per_s);
}

}  // namespace weir
