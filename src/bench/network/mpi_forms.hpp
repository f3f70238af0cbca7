#pragma once

#include <mpi.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#endif

#include <cstddef>

/// What of MPI 4 this MPI has. Open MPI has persistent and partitioned calls since its version 5, though it says to be
/// MPI 3.1, and persistent collective calls before that as an extension, MPIX_...
#if MPI_VERSION >= 4 || (defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5)
#define WEIR_MPI_PARTITIONED 1
#define WEIR_MPI_INIT(NAME) &MPI_##NAME##_init
#elif defined(OMPI_HAVE_MPI_EXT_PCOLLREQ) && OMPI_HAVE_MPI_EXT_PCOLLREQ
#define WEIR_MPI_PARTITIONED 0
#define WEIR_MPI_INIT(NAME) &MPIX_##NAME##_init
#else
#define WEIR_MPI_PARTITIONED 0
#define WEIR_MPI_INIT(NAME) nullptr
#endif

/// The three forms of a collective function, Bcast and Ibcast for instance; and of one with counts that may exceed
/// 2^31 - 1, where MPI has those. WEIR_MPI_COUNTED: one such function.
#define WEIR_MPI_FORMS(NAME, NONBLOCKING) \
    { &MPI_##NAME, &MPI_##NONBLOCKING, WEIR_MPI_INIT(NAME) }
#if MPI_VERSION >= 4
#define WEIR_MPI_COUNTED(NAME) MPI_##NAME##_c
#define WEIR_MPI_COUNTED_FORMS(NAME, NONBLOCKING) \
    { &MPI_##NAME##_c, &MPI_##NONBLOCKING##_c, &MPI_##NAME##_init_c }
#else
#define WEIR_MPI_COUNTED(NAME) MPI_##NAME
#define WEIR_MPI_COUNTED_FORMS(NAME, NONBLOCKING) WEIR_MPI_FORMS(NAME, NONBLOCKING)
#endif

namespace weir {

/// Counts of elements and displacements, as the counted functions take them.
#if MPI_VERSION >= 4
using ElementCount = MPI_Count;
using Displacement = MPI_Aint;
#else
using ElementCount = int;
using Displacement = int;
#endif

/// The functions of MPI for one collective call: one that returns when it is done; one that starts it, with a request
/// as last argument; one that prepares it for many starts, with an MPI_Info and a request, or null.
template <class Blocking, class Nonblocking, class Persistent>
struct MpiForms {
    constexpr MpiForms(Blocking at_once, Nonblocking started, Persistent prepared)
        : blocking(at_once), nonblocking(started), persistent(prepared) {}
    Blocking blocking;
    Nonblocking nonblocking;
    Persistent persistent;
};

}  // namespace weir
