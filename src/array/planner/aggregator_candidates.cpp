#include "array/planner/aggregator_candidates.hpp"

#include <algorithm>
#include <bit>

namespace weir::array {
namespace {

/// Aggregators with less than this spend longer waiting for each other than writing.
constexpr std::uint64_t least_part = 1 << 20;

/// Multiples and divisors of the number of stripes, fewest first, so that aggregators spread evenly over the servers.
std::vector<std::uint64_t> counts_for_stripes(PlanFacts const& facts, std::uint64_t most) {
    auto const stripes = facts.file_system.stripes;
    std::vector<std::uint64_t> all;
    auto count = stripes >> std::countr_zero(stripes);
    for (; count <= most; count *= 2) {
        all.push_back(count);
    }
    return all;
}

}  // namespace

std::uint64_t per_node(PlanFacts const& facts, std::uint64_t count) { return (count + facts.nodes - 1) / facts.nodes; }

bool alone(PlanFacts const& facts) { return facts.nodes == 1 && !facts.file_system.remote(); }

std::vector<std::uint64_t> aggregator_counts(PlanFacts const& facts, std::uint64_t wanted) {
    if (wanted != 0) {
        return {std::min(wanted, facts.ranks)};
    }
    auto const most = std::clamp<std::uint64_t>(facts.bytes / least_part, 1, facts.ranks);
    std::vector<std::uint64_t> all;
    if (facts.file_system.stripes != 0) {
        all = counts_for_stripes(facts, most);
    }
    if (!all.empty()) {
        return all;
    }
    all.push_back(most);
    for (auto each = per_node(facts, most) / 2; each > 0; each /= 2) {
        all.push_back(std::min(each * facts.nodes, most));
    }
    for (auto few = std::min(facts.nodes, most) / 2; few > 0; few /= 2) {
        all.push_back(few);
    }
    if (!alone(facts)) {
        std::ranges::reverse(all);
    }
    return all;
}

}  // namespace weir::array
