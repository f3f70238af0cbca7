// Lists of pieces that just find room on a rank's board of 256 KiB, by which ranks of one node tell them, or just do
// not: one byte of each rank in turns. Fails where a byte is wrong.
//
//   long_lists FILE

#include <mpi.h>

#include <cstddef>
#include <cstdio>
#include <vector>

namespace {

int rank = 0;
int ranks = 1;

char byte_of(int of_rank, int piece) { return static_cast<char>(piece % 101 + of_rank * 101 + 1); }

void view_in_turns(MPI_File file, int pieces) {
    MPI_Datatype turns = MPI_DATATYPE_NULL;
    MPI_Type_vector(pieces, 1, ranks, MPI_BYTE, &turns);
    MPI_Type_commit(&turns);
    MPI_File_set_view(file, rank, MPI_BYTE, turns, "native", MPI_INFO_NULL);
    MPI_Type_free(&turns);
}

/// How many bytes of all ranks are not in the file as they were written.
int wrong_bytes(MPI_File file, int pieces) {
    view_in_turns(file, pieces);
    std::vector<char> mine(static_cast<std::size_t>(pieces));
    for (int i = 0; i < pieces; ++i) {
        mine[static_cast<std::size_t>(i)] = byte_of(rank, i);
    }
    MPI_File_write_at_all(file, 0, mine.data(), pieces, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(file);
    MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    std::vector<char> all(static_cast<std::size_t>(pieces) * static_cast<std::size_t>(ranks));
    MPI_File_read_at(file, 0, all.data(), static_cast<int>(all.size()), MPI_BYTE, MPI_STATUS_IGNORE);
    int wrong = 0;
    for (int i = 0; i < static_cast<int>(all.size()); ++i) {
        wrong += all[static_cast<std::size_t>(i)] == byte_of(i % ranks, i / ranks) ? 0 : 1;
    }
    return wrong;
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_File file = MPI_FILE_NULL;
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
    constexpr int piece_bytes = 8;  // in a list
    constexpr int board = (256 << 10) / piece_bytes;
    int wrong = 0;
    for (int pieces = board - 8; pieces <= board + 1; ++pieces) {
        if (auto const found = wrong_bytes(file, pieces); found != 0) {
            std::fprintf(stderr, "rank %d: %d bytes of %d pieces are wrong\n", rank, found, pieces);
            ++wrong;
        }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_File_close(&file);
    MPI_Finalize();
    return wrong == 0 ? 0 : 1;
}
