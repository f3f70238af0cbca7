#include "pattern/rank.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace weir {
namespace {

/// Wide enough for the product of two ranks.
__extension__ using Wide = __int128;

/// The inverse of `value` modulo `modulus`, which must be coprime: Euclid's algorithm, Knuth, The Art of Computer
/// Programming 2, 4.5.2.
Wide inverse(Wide value, Wide modulus) {
    Wide before = 0;
    Wide now = 1;
    Wide rest = modulus;
    for (value %= modulus; value > 0;) {
        std::tie(before, now) = std::tuple(now, before - rest / value * now);
        std::tie(rest, value) = std::tuple(value, rest % value);
    }
    return (before % modulus + modulus) % modulus;
}

Wide last_of(RankSet const& set) { return Wide{set.first} + Wide{set.count - 1} * Wide{set.step}; }

}  // namespace

bool contains(Ranks const& ranks, Rank rank) {
    return ranks.empty() ||
           std::any_of(ranks.begin(), ranks.end(), [&](RankSet const& set) { return set.contains(rank); });
}

std::uint64_t size_of(Ranks const& ranks, std::uint64_t all) {
    std::uint64_t sum = 0;
    for (auto const& set : ranks) {
        sum += set.count;
    }
    return ranks.empty() ? all : sum;
}

Ranks canonical(Ranks ranks, std::uint64_t all) {
    for (auto& set : ranks) {
        set.step = set.count == 1 ? 1 : set.step;
    }
    std::sort(ranks.begin(), ranks.end(), [](RankSet const& a, RankSet const& b) { return a.first < b.first; });
    return ranks == Ranks{{0, all, 1}} ? Ranks() : ranks;
}

std::uint64_t common(RankSet const& a, RankSet const& b) {
    auto const divisor = std::gcd(a.step, b.step);
    auto const apart = Wide{b.first} - Wide{a.first};
    if (apart % Wide{divisor} != 0) {
        return 0;
    }
    // a.first + i * a.step is in b's sequence if i has this remainder (Chinese remainder theorem).
    auto const every = Wide{b.step / divisor};
    auto const needed = (apart / Wide{divisor} % every + every) % every;
    auto const turn = every == 1 ? Wide{0} : needed * inverse(Wide{a.step / divisor}, every) % every;
    auto const period = Wide{a.step} * every;
    auto first = Wide{a.first} + turn * Wide{a.step};
    auto const from = std::max(Wide{a.first}, Wide{b.first});
    if (first < from) {
        first += (from - first + period - 1) / period * period;
    }
    auto const to = std::min(last_of(a), last_of(b));
    return first > to ? 0 : static_cast<std::uint64_t>((to - first) / period + 1);
}

}  // namespace weir
