/* Two ranks send messages of 8 bytes to and fro, or one rank to itself; rank 0 prints the nanoseconds that one took, of
   which one rank takes processor time only: messages COUNT */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double data = 0;

static double now(int ranks) {
    struct timespec t;
    clock_gettime(ranks == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static void send_to(int rank) { MPI_Send(&data, 1, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD); }
static void receive_from(int rank) { MPI_Recv(&data, 1, MPI_DOUBLE, rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    long const count = argc == 2 ? atol(argv[1]) : 0;
    long const warm_up = 1000;
    int rank;
    int ranks;
    double begin = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    int const other = ranks == 1 ? 0 : 1 - rank;
    for (long i = 0; i < warm_up + count; ++i) {
        if (i == warm_up)
            begin = now(ranks);
        if (rank == 0) {
            send_to(other);
            receive_from(other);
        } else {
            receive_from(other);
            send_to(other);
        }
    }
    if (rank == 0)
        printf("%.1f\n", (now(ranks) - begin) / (ranks == 1 ? 1.0 : 2.0) / (double)count);
    MPI_Finalize();
    return 0;
}
