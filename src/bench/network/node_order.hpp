#pragma once

#include <cstdint>
#include <vector>

#include "comm/communicator.hpp"

namespace weir {

/// Of each rank, by rank, the number of its node; nodes count by their first ranks. Collective.
std::vector<std::uint64_t> node_numbers(Communicator const&);

/// The place of each rank, by rank, where they are taken from the nodes in turn: first the first rank of each node,
/// then the second of each that has one, and so on. Launchers fill one node after the other: neighbours would share
/// one.
std::vector<std::uint64_t> places_in_turn(std::vector<std::uint64_t> const& node_of);

/// The ranks taken from the nodes in turn; rank 0 stays the first. Collective.
Communicator taken_in_turn(Communicator const&);

/// A rank that takes part: its group, and the number of its node.
struct GroupMember {
    std::uint64_t group = 0;
    std::uint64_t node = 0;
};

/// The nodes over which the group with fewest is spread; 0 without ranks.
std::uint64_t fewest_nodes(std::vector<GroupMember> const& members);

}  // namespace weir
