#pragma once

#include <vector>

#include "lists/decomposition.hpp"

namespace weir::performance {

/// What a program without a library would write by hand for a list that it uses once: every rank sends offsets, lengths
/// and values to those that own the parts of the array, in three MPI_Alltoallv, and each puts the values in place.
/// Returns this rank's part of the array. Collective.
std::vector<double> exchange_plainly(Communicator const&, Decomposition const&, std::vector<double> const& values);

}  // namespace weir::performance
