#include "array/layout/aggregator_placement.hpp"

#include <algorithm>
#include <map>

#include "array/layout/window.hpp"

namespace weir::array {

std::vector<std::uint64_t> place_aggregators(std::vector<std::uint64_t> const& node, std::uint64_t count) {
    count = std::min<std::uint64_t>(count, node.size());
    std::map<std::uint64_t, std::vector<std::uint64_t>> ranks;
    for (std::size_t rank = 0; rank < node.size(); ++rank) {
        ranks[node[rank]].push_back(rank);
    }
    // The number of aggregators on each node; the first nodes get one more, but none more than it has ranks.
    std::vector<std::uint64_t> chosen;
    std::map<std::uint64_t, std::uint64_t> of_node;
    for (std::uint64_t left = count; left > 0;) {
        for (auto const& [name, members] : ranks) {
            if (left > 0 && of_node[name] < members.size()) {
                ++of_node[name];
                --left;
            }
        }
    }
    for (auto const& [name, members] : ranks) {
        for (std::uint64_t i = 0; i < of_node[name]; ++i) {
            chosen.push_back(members[i * members.size() / of_node[name]]);
        }
    }
    std::ranges::sort(chosen);
    return chosen;
}

FileDomain file_domain(Region const& region, Aggregation const& how, std::uint64_t index) {
    return file_domain(region.bytes(), how.aggregators.size(), index, how.align, how.window, how.phase);
}

std::vector<Partner> partners(Region const& region, Share const& share, Aggregation const& how) {
    std::vector<Partner> found;
    for (std::uint64_t i = 0; i < how.aggregators.size(); ++i) {
        auto const domain = file_domain(region, how, i);
        if (Window(region, {domain.begin, domain.end}, share).bytes() > 0) {
            found.push_back({how.aggregators[i], domain});
        }
    }
    return found;
}

}  // namespace weir::array
