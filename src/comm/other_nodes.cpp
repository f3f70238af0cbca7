#include "comm/other_nodes.hpp"

#include <algorithm>

namespace weir {
namespace {

std::uint64_t most_on_a_node(std::vector<std::uint64_t> const& node_of_rank) {
    std::map<std::uint64_t, std::uint64_t> ranks;
    std::uint64_t most = 0;
    for (auto const node : node_of_rank) {
        most = std::max(most, ++ranks[node]);
    }
    return most;
}

/// Whole nodes first, which is right where ranks are placed node after node; then the others, as far as trying them
/// takes no time that is noticed.
std::vector<std::uint64_t> shifts_to_try(std::uint64_t ranks, std::uint64_t a_node) {
    constexpr std::uint64_t most_pairs = 1 << 24;
    std::vector<std::uint64_t> shifts;
    for (auto shift = a_node; shift < ranks; shift += a_node) {
        shifts.push_back(shift);
    }
    for (std::uint64_t shift = 1; shift < ranks; ++shift) {
        if (shift % a_node != 0) {
            shifts.push_back(shift);
        }
    }
    shifts.resize(std::min<std::uint64_t>(shifts.size(), std::max<std::uint64_t>(most_pairs / ranks, 1)));
    return shifts;
}

}  // namespace

std::vector<std::uint64_t> node_of_each_rank(Communicator const& comm) {
    return comm.all_gather(comm.node().all_gather(comm.rank()).front());
}

OtherNodes::OtherNodes(std::vector<std::uint64_t> node_of_rank)
    : node_of_rank_(std::move(node_of_rank)),
      candidates_(shifts_to_try(node_of_rank_.size(), most_on_a_node(node_of_rank_))) {}

OtherNodes::Cost OtherNodes::cost_of(std::uint64_t shift) const {
    auto const ranks = node_of_rank_.size();
    Cost cost;
    for (std::uint64_t rank = 0; rank < ranks; ++rank) {
        auto const part = (rank + shift) % ranks;
        cost.own_node += node_of_rank_[rank] == node_of_rank_[part] ? 1 : 0;
        cost.had_before += had_.contains({node_of_rank_[rank], part}) ? 1 : 0;
    }
    auto const used = used_.find(shift);
    cost.used = used == used_.end() ? 0 : used->second;
    return cost;
}

std::uint64_t OtherNodes::next() {
    if (candidates_.empty()) {
        return 0;
    }
    auto best = candidates_.front();
    auto least = cost_of(best);
    for (auto const shift : candidates_) {
        if (least == Cost{}) {
            break;
        }
        if (auto const cost = cost_of(shift); cost < least) {
            best = shift;
            least = cost;
        }
    }
    auto const ranks = node_of_rank_.size();
    for (std::uint64_t rank = 0; rank < ranks; ++rank) {
        had_.insert({node_of_rank_[rank], (rank + best) % ranks});
    }
    ++used_[best];
    return best;
}

}  // namespace weir
