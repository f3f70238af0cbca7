/* Writes a distributed array with ghost cells to a file and reads it back: describe, plan, write, read, compare.
 *
 *     mpicc dump.c $(pkg-config --cflags --libs weir-array) -o dump && mpirun -n 4 ./dump density.raw
 *
 * tests/python/end_to_end/array/test_install.py builds it against an installed Weir, runs it, and checks the file.
 */
#include <stdio.h>
#include <stdlib.h>
#include <weir/array.h>

static int64_t const shape[] = {64, 48, 32};
static int64_t const ghosts[] = {1, 1, 1};

/* Sets this rank's elements to their places in the file, or counts those that differ; ghosts are not changed. */
static int64_t visit(double* rho, int64_t const start[], int64_t const count[], int set) {
    int64_t wrong = 0;
    for (int64_t i = 0; i < count[0]; ++i) {
        for (int64_t j = 0; j < count[1]; ++j) {
            double* row = rho + ((i + 1) * (count[1] + 2) + j + 1) * (count[2] + 2) + 1;
            for (int64_t k = 0; k < count[2]; ++k) {
                double const place = (double)(((start[0] + i) * shape[1] + start[1] + j) * shape[2] + start[2] + k);
                if (set) {
                    row[k] = place;
                }
                wrong += row[k] != place;
            }
        }
    }
    return wrong;
}

/* Writes, clears and reads back; sets *wrong to the number of wrong elements over all ranks. */
static int dump(char const* path, weir_plan* plan, double* rho, int64_t bytes, int64_t const start[],
                int64_t const count[], int64_t* wrong, weir_error* error) {
    void* buffers[] = {rho};
    visit(rho, start, count, 1);
    if (weir_write(plan, path, 0, buffers, error) != WEIR_OK) {
        return error->code;
    }
    for (int64_t i = 0; i < bytes / (int64_t)sizeof(double); ++i) {
        rho[i] = -1;
    }
    if (weir_read(plan, path, 0, buffers, error) != WEIR_OK) {
        return error->code;
    }
    *wrong = visit(rho, start, count, 0);
    MPI_Allreduce(MPI_IN_PLACE, wrong, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return WEIR_OK;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);

    weir_array* density;
    weir_plan* plan;
    weir_error error;
    weir_array_block(3, shape, NULL, sizeof(double), WEIR_C_ORDER, &density, NULL);
    weir_array_ghosts(density, ghosts, ghosts, NULL);
    int64_t start[3], count[3], bytes, wrong = 0;
    if (weir_plan_make(MPI_COMM_WORLD, 1, &density, NULL, &plan, &error) == WEIR_OK &&
        weir_array_local(density, rank, ranks, NULL, start, count, &bytes, &error) == WEIR_OK) {
        double* rho = malloc((size_t)bytes);
        dump(argc > 1 ? argv[1] : "density.raw", plan, rho, bytes, start, count, &wrong, &error);
        free(rho);
    }
    if (rank == 0 && error.code != WEIR_OK) {
        fprintf(stderr, "dump: %s\n", error.message);
    } else if (rank == 0) {
        printf("%lld elements are wrong; %s\n", (long long)wrong, weir_plan_explain(plan));
    }
    weir_plan_free(plan);
    weir_array_free(density);
    MPI_Finalize();
    return error.code != WEIR_OK || wrong != 0;
}
