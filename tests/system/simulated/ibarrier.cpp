// SimGrid's MPI_Ibarrier (3.32) lets ranks go as soon as rank 0 has come, by which the library would lose messages. A
// reduction cannot end before all ranks have given their value.

#include <mpi.h>

int MPI_Ibarrier(MPI_Comm comm, MPI_Request* request) {
    static int mine = 0;
    static int all = 0;  // of each simulated process: globals are private to them
    return MPI_Iallreduce(&mine, &all, 1, MPI_INT, MPI_MAX, comm, request);
}
