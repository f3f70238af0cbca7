#pragma once

#include "array/planner/choose_strategy.hpp"
#include "pattern/pattern.hpp"

namespace weir {

/// How ranks carry out what they ask for together.
struct Lowering {
    array::Choice choice;               ///< the two-phase library's: method, aggregators, window
    std::uint64_t target = 4 << 20;     ///< bytes of contiguous pieces that rows of the process grid exchange for
    std::vector<std::uint64_t> node{};  ///< of each rank, a number; none: each rank is on one of its own
    bool all_by_messages = false;       ///< also between ranks of a node, which do not share memory
};

/// The pattern as messages between ranks and as plain requests of single ranks: every collective access to an array
/// becomes what the two-phase library makes of it, every open of a shared file that of those ranks which need it, and
/// seeks stand where a program with file pointers passes a header or an array. Data that ranks of a node share go
/// without messages, unless all do. All else stays. Pure; takes time by ranks and windows. By the same functions as the
/// exchange.
Pattern lowered(Pattern const&, Lowering const&);

/// How often a program with file pointers would seek: where a seek is, and where a request begins elsewhere than the
/// last one ended. Takes time by ranks and requests.
std::uint64_t seeks(Pattern const&);
std::uint64_t seeks(Pattern const&, Rank);

/// How many messages a rank sends or receives, or broadcasts, over all ranks.
std::uint64_t messages(Pattern const&);

}  // namespace weir
