#pragma once

#include <cstdint>

#include "pattern/pattern.hpp"

namespace weir {

/// The pattern for this many ranks, by the rule that it names (Pattern::scales). Refuses what the rule does not cover,
/// with the place: lists of pieces, rank sets that are neither all ranks nor {0}, numbers that do not divide (Error,
/// usage). docs/adr/0017-repeats-and-scaling.md has the rules.
Pattern scaled(Pattern const&, std::uint64_t ranks);

}  // namespace weir
