/* Writes distributed arrays to datasets of an HDF5 file and reads them back: a density with ghost cells, and the time
 * on all ranks.
 *
 *     mpicc dump_hdf5.c $(pkg-config --cflags --libs weir-hdf5) -o dump_hdf5
 *     mpirun -n 4 ./dump_hdf5 dump.h5 && h5dump -d /time dump.h5
 *
 * Existing datasets keep their layout: create them beforehand, on one rank, to give them attributes, chunks or
 * compression. tests/python/end_to_end/array/test_formats.py does both.
 */
#include <stdio.h>
#include <stdlib.h>
#include <weir/hdf5.h>

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

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);

    char const* path = argc > 1 ? argv[1] : "dump.h5";
    char const* names[] = {"/fields/density", "/time"};
    hid_t types[] = {H5T_NATIVE_DOUBLE, H5T_NATIVE_DOUBLE};
    weir_array* arrays[2];
    weir_plan* plan;
    weir_error error;
    weir_array_block(3, shape, NULL, sizeof(double), WEIR_C_ORDER, &arrays[0], NULL);
    weir_array_ghosts(arrays[0], ghosts, ghosts, NULL);
    weir_array_replicated(1, sizeof(double), &arrays[1], NULL);
    int64_t start[3], count[3], bytes, wrong = 0;
    if (weir_plan_make(MPI_COMM_WORLD, 2, arrays, NULL, &plan, &error) == WEIR_OK &&
        weir_array_local(arrays[0], rank, ranks, NULL, start, count, &bytes, &error) == WEIR_OK) {
        double* rho = malloc((size_t)bytes);
        double time = 2.5;
        void* buffers[] = {rho, &time};
        visit(rho, start, count, 1);
        if (weir_hdf5_write(plan, path, names, types, buffers, &error) == WEIR_OK) {
            for (int64_t i = 0; i < bytes / (int64_t)sizeof(double); ++i) {
                rho[i] = -1;
            }
            time = 0;
            weir_hdf5_read(plan, path, names, types, buffers, &error);
            wrong = visit(rho, start, count, 0) + (time != 2.5);
        }
        MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
        free(rho);
    }
    if (rank == 0 && error.code != WEIR_OK) {
        fprintf(stderr, "dump_hdf5: %s\n", error.message);
    } else if (rank == 0) {
        printf("%lld elements are wrong\n", (long long)wrong);
    }
    weir_plan_free(plan);
    weir_array_free(arrays[0]);
    weir_array_free(arrays[1]);
    MPI_Finalize();
    return error.code != WEIR_OK || wrong != 0;
}
