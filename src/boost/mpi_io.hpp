#pragma once

#include <mpi.h>

#include <cstdint>

namespace weir::boost {

/// What carries out MPI's own calls.
enum class MpiIo : std::uint8_t {
    romio,
    ompio,     ///< Open MPI's own, which is slower at much that ROMIO does well
    ompio_few  ///< the same for one or two ranks, which do not exchange: each moves its own pieces, and waits for none
};

/// That of this file, on all ranks. Collective.
MpiIo mpi_io_of(MPI_Comm comm, char const* path);

/// Do nodes keep pages of this file apart, as of NFS? What one has written, another then sees only by what MPI-IO does
/// for such files. Of ranks on several nodes. Collective.
bool is_cached_apart(MPI_Comm comm, char const* path);

}  // namespace weir::boost
