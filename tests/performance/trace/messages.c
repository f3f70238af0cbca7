/* Two ranks send messages of 8 bytes to and fro; rank 0 prints the nanoseconds that one took: messages COUNT */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    long const count = argc == 2 ? atol(argv[1]) : 0;
    long const warm_up = 1000;
    int rank;
    double data = 0;
    double begin = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (long i = 0; i < warm_up + count; ++i) {
        if (i == warm_up)
            begin = MPI_Wtime();
        if (rank == 0) {
            MPI_Send(&data, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD);
            MPI_Recv(&data, 1, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            MPI_Recv(&data, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(&data, 1, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD);
        }
    }
    if (rank == 0)
        printf("%.1f\n", (MPI_Wtime() - begin) * 1e9 / (2.0 * (double)count));
    MPI_Finalize();
    return 0;
}
