/* Preloaded into a program, makes each message between two ranks of its communicator wait before it is sent:
   WEIR_SLOW_LINK="1 3 2000" names the ranks, and microseconds. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int MPI_Send(void const* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    char const* asked = getenv("WEIR_SLOW_LINK");
    int one = -1;
    int other = -1;
    double us = 0;
    int rank = 0;
    PMPI_Comm_rank(comm, &rank);
    if (asked != NULL && sscanf(asked, "%d %d %lf", &one, &other, &us) == 3 &&
        ((rank == one && to == other) || (rank == other && to == one))) {
        usleep((useconds_t)us); /* asleep: a core that it kept busy would slow other ranks */
    }
    return PMPI_Send(data, count, type, to, tag, comm);
}
