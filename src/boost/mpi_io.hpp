#pragma once

#include <mpi.h>

namespace weir::boost {

/// Does ROMIO carry out MPI's own calls on this file, on all ranks? Open MPI's own MPI-IO, OMPIO, is slower at much
/// that ROMIO does well. Collective.
bool is_romio(MPI_Comm comm, char const* path);

}  // namespace weir::boost
