#include "bench/network/rings_order.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/random.hpp"

namespace weir {

std::vector<std::uint64_t> ring_order(std::uint64_t ranks, std::uint64_t ring, std::uint64_t seed) {
    std::vector<std::uint64_t> order(ranks);
    std::iota(order.begin(), order.end(), std::uint64_t{0});
    if (ring > 0) {
        auto state = mix(seed) + ring;
        for (auto left = ranks; left > 1; --left) {  // Fisher and Yates
            state = mix(state);
            std::swap(order[left - 1], order[below(left, state)]);
        }
    }
    return order;
}

RingNeighbours ring_neighbours(std::uint64_t rank, std::vector<std::uint64_t> const& order) {
    auto const ranks = order.size();
    auto const place = static_cast<std::size_t>(std::ranges::find(order, rank) - order.begin());
    return {order[(place + ranks - 1) % ranks], order[(place + 1) % ranks]};
}

double geometric_mean(std::vector<double> const& values) {
    double sum = 0;
    for (auto const value : values) {
        sum += std::log(value);
    }
    return std::exp(sum / static_cast<double>(values.size()));
}

}  // namespace weir
