#pragma once

#include <cstdint>

#include "core/random.hpp"

namespace weir {

/// The seed of one of several sequences that are drawn from a user's seed. Not `seed + number`: the second sequence of
/// a seed would be the first one of the next.
constexpr std::uint64_t seed_of_sequence(std::uint64_t seed, std::uint64_t number) { return mix(mix(seed) + number); }

}  // namespace weir
