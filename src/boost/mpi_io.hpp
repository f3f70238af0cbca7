#pragma once

#include <mpi.h>

namespace weir::boost {

/// Does ROMIO carry out MPI's own calls on this file, on all ranks? Open MPI's own MPI-IO, OMPIO, is slower at much
/// that ROMIO does well. Collective.
bool is_romio(MPI_Comm comm, char const* path);

/// Do nodes keep pages of this file apart, as of NFS? What one has written, another then sees only by what MPI-IO does
/// for such files. Of ranks on several nodes. Collective.
bool is_cached_apart(MPI_Comm comm, char const* path);

}  // namespace weir::boost
