#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "comm/communicator.hpp"

namespace weir {

/// The node of each rank, named by its first one. Collective.
std::vector<std::uint64_t> node_of_each_rank(Communicator const&);

/// Who does whose part, so that no node gets what it has had: rank r does that of rank r + shift (modulo the number of
/// ranks). Ranks may be placed in any way: node after node, in turn, and unevenly. Pure.
class OtherNodes {
  public:
    /// The node of each rank, by any number. What ranks made themselves, their nodes have had.
    explicit OtherNodes(std::vector<std::uint64_t> node_of_rank);

    /// The next shift, of 1 or more: that with the fewest ranks that get a part of their own node; of these with the
    /// fewest that get what their node has had before; of these the one used least. 0 for a single rank.
    std::uint64_t next();

  private:
    struct Cost {
        std::uint64_t own_node = 0;
        std::uint64_t had_before = 0;
        std::uint64_t used = 0;
        auto operator<=>(Cost const&) const = default;
    };
    [[nodiscard]] Cost cost_of(std::uint64_t shift) const;

    std::vector<std::uint64_t> node_of_rank_;
    std::vector<std::uint64_t> candidates_;
    std::set<std::pair<std::uint64_t, std::uint64_t>> had_;  ///< node, rank whose part it was
    std::map<std::uint64_t, std::uint64_t> used_;
};

}  // namespace weir
