#pragma once

#include <string>

#include "lists/decomposition.hpp"

namespace weir::performance {

/// This rank's part of a decomposition file of E3SM-IO (https://github.com/Parallel-NetCDF/E3SM-IO, datasets/): the
/// lists of consecutive ranks of the run that it is of, in the file's order. `which`: 1, 2, 3, ... Throws Error, also
/// where this build lacks PnetCDF. Collective.
Decomposition e3sm_decomposition(Communicator const&, std::string const& path, int which);

}  // namespace weir::performance
