/* Writes distributed arrays to variables of a classic netCDF file and reads them back: three time steps of a density
 * with ghost cells, and one of a mask.
 *
 *     mpicc dump_netcdf.c $(pkg-config --cflags --libs weir-pnetcdf) -o dump_netcdf
 *     mpirun -n 4 ./dump_netcdf dump.nc && ncdump -h dump.nc
 *
 * Existing variables keep their layout: create them beforehand, on one rank, to give them attributes.
 * tests/python/end_to_end/array/test_formats.py does both.
 */
#include <stdio.h>
#include <stdlib.h>
#include <weir/pnetcdf.h>

static int64_t const shape[] = {16, 48, 32};
static int64_t const ghosts[] = {1, 1, 1};
static char const* const names[] = {"density(time, z, y, x)", "mask(z, y, x)"};
static nc_type const types[] = {NC_DOUBLE, NC_SHORT};

/* Sets this rank's elements to their places in the step plus the step, or counts those that differ. */
static int64_t visit(double* rho, short* mask, int64_t const start[], int64_t const count[], int64_t step, int set) {
    int64_t wrong = 0;
    for (int64_t i = 0; i < count[0]; ++i) {
        for (int64_t j = 0; j < count[1]; ++j) {
            double* row = rho + ((i + 1) * (count[1] + 2) + j + 1) * (count[2] + 2) + 1;
            for (int64_t k = 0; k < count[2]; ++k, ++mask) {
                int64_t const place = ((start[0] + i) * shape[1] + start[1] + j) * shape[2] + start[2] + k;
                if (set) {
                    row[k] = (double)(place + step);
                    *mask = (short)(place % 3);
                }
                wrong += (row[k] != (double)(place + step)) + (*mask != (short)(place % 3));
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

    char const* path = argc > 1 ? argv[1] : "dump.nc";
    weir_array* arrays[2];
    weir_plan* plan;
    weir_error error;
    weir_array_block(3, shape, NULL, sizeof(double), WEIR_C_ORDER, &arrays[0], NULL);
    weir_array_ghosts(arrays[0], ghosts, ghosts, NULL);
    weir_array_block(3, shape, NULL, sizeof(short), WEIR_C_ORDER, &arrays[1], NULL);
    int64_t start[3], count[3], bytes[2], wrong = 0;
    if (weir_plan_make(MPI_COMM_WORLD, 2, arrays, NULL, &plan, &error) == WEIR_OK &&
        weir_array_local(arrays[0], rank, ranks, NULL, start, count, &bytes[0], &error) == WEIR_OK &&
        weir_array_local(arrays[1], rank, ranks, NULL, start, count, &bytes[1], &error) == WEIR_OK) {
        void* buffers[] = {malloc((size_t)bytes[0]), malloc((size_t)bytes[1])};
        for (int64_t step = 0; step < 3 && error.code == WEIR_OK; ++step) {
            visit(buffers[0], buffers[1], start, count, step, 1);
            weir_pnetcdf_write(plan, path, names, types, step, buffers, &error);
        }
        for (int64_t step = 0; step < 3 && error.code == WEIR_OK; ++step) {
            weir_pnetcdf_read(plan, path, names, types, step, buffers, &error);
            wrong += visit(buffers[0], buffers[1], start, count, step, 0);
        }
        MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
        free(buffers[0]);
        free(buffers[1]);
    }
    if (rank == 0 && error.code != WEIR_OK) {
        fprintf(stderr, "dump_netcdf: %s\n", error.message);
    } else if (rank == 0) {
        printf("%lld elements are wrong\n", (long long)wrong);
    }
    weir_plan_free(plan);
    weir_array_free(arrays[0]);
    weir_array_free(arrays[1]);
    MPI_Finalize();
    return error.code != WEIR_OK || wrong != 0;
}
