#pragma once

#include "array/planner/choose_strategy.hpp"
#include "pattern/pattern.hpp"

namespace weir {

/// How ranks carry out collective accesses.
struct Lowering {
    array::Choice choice;               ///< the two-phase library's: method, aggregators, window
    std::uint64_t target = 4 << 20;     ///< contiguous bytes that exchanging within rows of the process grid must reach
    std::vector<std::uint64_t> node{};  ///< node number of each rank; none: each rank is on its own node
    bool all_by_messages = false;       ///< also between ranks of a node, which otherwise share memory
};

/// The pattern as messages between ranks and plain requests of single ranks: every collective access to an array
/// becomes the two-phase library's exchange, every open of a shared file is limited to the ranks that need it, and
/// ranks have file pointers: they pass a header or an array by seeks, and requests seek to their place. Data within a
/// node moves without messages, unless `all_by_messages`. All else is unchanged. Pure; time grows with ranks and
/// windows. Uses the same functions as the exchange.
Pattern lowered(Pattern const&, Lowering const&);

/// The number of its seeks: steps, and those of requests that seek (Access::seeks). Time grows with ranks and
/// requests.
std::uint64_t seeks(Pattern const&);
std::uint64_t seeks(Pattern const&, Rank);

/// The number of messages that a rank sends, receives or broadcasts, over all ranks.
std::uint64_t messages(Pattern const&);

}  // namespace weir
