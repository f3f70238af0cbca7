#pragma once

#include <span>

#include "comm/communicator.hpp"

namespace weir {

/// The sum of all ranks' values, bit-identical for every order and number of ranks, and accurate to a few units in the
/// last place of the largest value: each value is rounded to three grids so coarse that sums on them are exact. Demmel,
/// Nguyen: Fast reproducible floating-point summation, ARITH 21 (2013), algorithm 6. `count_bound`: at least the number
/// of values of all ranks. Collective.
double ordered_sum(Communicator const&, std::span<double const> values, double count_bound);

}  // namespace weir
