// A program with system calls that knows nothing of Weir: FILE HOW, where HOW is sizes (requests of random sizes, one
// behind the other) or offsets (requests of one size at random places, written and read).
#include <fcntl.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 256 << 10, REQUESTS = 2000, PLACE = 16 << 10 };

static uint64_t state;

static uint64_t drawn(uint64_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % below;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    state = 1000 + (uint64_t)rank;
    char name[4096];
    snprintf(name, sizeof name, "%s.%d", argv[1], rank);
    char* const data = malloc(MOST);
    memset(data, 'a' + rank, MOST);
    int const file = open(name, O_CREAT | O_RDWR | O_TRUNC, 0600);
    int const sizes = argc > 2 && !strcmp(argv[2], "sizes");
    for (int i = 0; i < REQUESTS; ++i) {
        size_t const length = sizes ? 1 + drawn(MOST) : PLACE;
        ssize_t const done =
            sizes ? write(file, data, length) : pwrite(file, data, length, (off_t)drawn(REQUESTS) * PLACE);
        if (done != (ssize_t)length) {
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
    }
    close(file);
    free(data);
    MPI_Finalize();
    return 0;
}
