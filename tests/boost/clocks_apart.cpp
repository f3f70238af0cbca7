// Ranks whose clocks run at other speeds see other ways of a call as the quickest: all must take the same way all the
// same, or they wait for each other. Over ROMIO.
//
//   clocks_apart FILE

#include <mpi.h>

#include <cstddef>
#include <vector>

namespace {

int rank = 0;

}  // namespace

/// The clock that libraries ask. Where it goes on quickly changes between ranks.
extern "C" double PMPI_Wtime() {
    static double now = 0;
    static int calls = 0;
    ++calls;
    now += 1e-4 * ((calls / 3 + rank) % 7 + 1) * (rank == calls / 50 % 2 ? 10 : 1);
    return now;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File file = MPI_FILE_NULL;
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
    constexpr int block = 2048;  // ints: not too short to try other ways
    MPI_Datatype turns = MPI_DATATYPE_NULL;
    MPI_Type_vector(4, block, 2 * block, MPI_INT, &turns);
    MPI_Type_commit(&turns);
    MPI_File_set_view(file, MPI_Offset{rank} * block * static_cast<MPI_Offset>(sizeof(int)), MPI_INT, turns, "native",
                      MPI_INFO_NULL);
    MPI_Type_free(&turns);
    std::vector<int> ints(std::size_t{4} * block, rank);
    for (int i = 0; i < 2000; ++i) {
        MPI_File_write_at_all(file, 0, ints.data(), static_cast<int>(ints.size()), MPI_INT, MPI_STATUS_IGNORE);
    }
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
