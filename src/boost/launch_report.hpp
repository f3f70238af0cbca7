#pragma once

#include <cstdint>
#include <string>

#include "boost/report.hpp"

namespace weir::boost {

/// What all ranks of a launch did.
struct Launch {
    int rank = 0;  ///< this process's
    int ranks = 1;
    Tally all;                ///< sums
    std::uint64_t alone = 0;  ///< ranks that made independent calls
    bool hdf5 = false;        ///< is loaded, for MPI
    std::string pnetcdf;      ///< the version of the one that is loaded
    std::string other_mpi;    ///< that of the program, if it is not the one of this library
};

/// Writes it as JSON into the folder that WEIR_BOOST_REPORT names, a file a launch; says on standard error why it
/// cannot. Local.
void keep(Launch const& launch);

}  // namespace weir::boost
