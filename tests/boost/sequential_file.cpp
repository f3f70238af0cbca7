// A file that is opened for sequential access has no offsets of a rank's own (MPI 3.1, section 13.2.1): calls at such
// must fail, as ROMIO's do.
//
//   sequential_file FILE

#include <mpi.h>

#include <cstdio>
#include <vector>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File file = MPI_FILE_NULL;
    MPI_File_open(MPI_COMM_WORLD, argv[1],
                  MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
    std::vector<char> const bytes(1 << 16);
    auto const count = static_cast<int>(bytes.size());
    int wrong = 0;
    wrong += MPI_File_write_at_all(file, MPI_Offset{rank} * count, bytes.data(), count, MPI_BYTE, MPI_STATUS_IGNORE) ==
                     MPI_SUCCESS
                 ? 1
                 : 0;
    wrong += MPI_File_write_all(file, bytes.data(), count, MPI_BYTE, MPI_STATUS_IGNORE) == MPI_SUCCESS ? 1 : 0;
    MPI_File_close(&file);
    if (wrong != 0) {
        std::fprintf(stderr, "rank %d: %d calls did not fail\n", rank, wrong);
    }
    MPI_Finalize();
    return wrong;
}
