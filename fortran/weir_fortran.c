/* What Fortran cannot say by itself: which rank it is by any communicator, and how large a buffer of any type is. */
#include <ISO_Fortran_binding.h>
#include <mpi.h>
#include <stdint.h>

void weir_fortran_rank(MPI_Fint comm, int* rank, int* ranks) {
    MPI_Comm const ours = MPI_Comm_f2c(comm);
    *rank = -1;
    *ranks = 0;
    if (ours != MPI_COMM_NULL) {
        MPI_Comm_rank(ours, rank);
        MPI_Comm_size(ours, ranks);
    }
}

/* Where a buffer begins, and its bytes; -1 where they are not known (assumed size), -2 where it is not contiguous. */
void weir_fortran_buffer(CFI_cdesc_t const* buffer, void** address, int64_t* bytes) {
    *address = buffer->base_addr;
    *bytes = (int64_t)buffer->elem_len;
    for (int i = 0; i < buffer->rank; ++i) {
        if (buffer->dim[i].extent < 0) {
            *bytes = -1;
            return;
        }
        *bytes *= buffer->dim[i].extent;
    }
    if (*bytes > 0 && buffer->rank > 0 && !CFI_is_contiguous(buffer)) {
        *bytes = -2;
    }
}
