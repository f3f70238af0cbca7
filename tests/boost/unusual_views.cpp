// Collective calls by views as HDF5 and PnetCDF make them: of filetypes whose extent is less than their span, for the
// chunks of a dataset, of which calls ask for one; and of filetypes without bytes, for the last rank, which has no
// part. Prints "right" if all bytes are where they belong.
//
//   unusual_views FILE

#include <mpi.h>

#include <cstddef>
#include <cstdio>
#include <numeric>
#include <vector>

namespace {

constexpr int blocks = 240;  ///< of a rank
constexpr int block = 100;   ///< elements

/// Of one rank: blocks in turns with those of the others; of the last rank, nothing.
MPI_Datatype filetype(int rank, int parts) {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    if (rank == parts) {
        MPI_Type_contiguous(0, MPI_INT, &made);
    } else {
        MPI_Datatype turns = MPI_DATATYPE_NULL;
        MPI_Type_vector(blocks, block, block * parts, MPI_INT, &turns);
        MPI_Type_create_resized(turns, 0, MPI_Aint{block} * sizeof(int), &made);
        MPI_Type_free(&turns);
    }
    MPI_Type_commit(&made);
    return made;
}

/// What lies in the file at this element of the rank.
int expected(int element, int rank, int parts) { return (element / block * parts + rank) * block + element % block; }

std::vector<int> elements_of(int rank, int parts) {
    std::vector<int> all(rank < parts ? std::size_t{blocks} * block : 0);
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i] = expected(static_cast<int>(i), rank, parts);
    }
    return all;
}

/// In two calls, the second from the middle of a block on; and back in one.
bool write_and_read(MPI_File file, std::vector<int> const& mine) {
    auto const count = static_cast<int>(mine.size());
    auto const first = count / 3 + count % 7;
    MPI_File_write_all(file, mine.data(), first, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_write_all(file, mine.data() + first, count - first, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    std::vector<int> found(mine.size());
    MPI_File_read_at_all(file, 0, found.data(), count, MPI_INT, MPI_STATUS_IGNORE);
    return found == mine;
}

/// The file holds its elements' indices.
bool as_a_whole(MPI_File file, int parts) {
    std::vector<int> found(std::size_t{blocks} * block * static_cast<std::size_t>(parts));
    std::vector<int> wanted(found.size());
    std::iota(wanted.begin(), wanted.end(), 0);
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_File_read_at(file, 0, found.data(), static_cast<int>(found.size()), MPI_INT, MPI_STATUS_IGNORE);
    return found == wanted;
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    int ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_File file = MPI_FILE_NULL;
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
    auto const parts = ranks - 1;
    auto type = filetype(rank, parts);
    MPI_File_set_view(file, MPI_Offset{rank} * block * static_cast<MPI_Offset>(sizeof(int)), MPI_INT, type, "native",
                      MPI_INFO_NULL);
    MPI_Type_free(&type);
    int right = write_and_read(file, elements_of(rank, parts)) && as_a_whole(file, parts) ? 1 : 0;
    MPI_File_close(&file);
    MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (rank == 0) {
        std::puts(right != 0 ? "right" : "wrong");
        std::fflush(stdout);
    }
    MPI_Finalize();
    return right != 0 ? 0 : 1;
}
