// Collective calls by views whose filetype's extent is less than its span, as HDF5 makes for the chunks of a dataset:
// they ask for one filetype each. Prints "right" if all bytes are where they belong.
//
//   short_extents FILE

#include <mpi.h>

#include <cstddef>
#include <cstdio>
#include <numeric>
#include <vector>

namespace {

constexpr int blocks = 240;  ///< of a rank
constexpr int block = 100;   ///< elements

/// Of one rank: blocks in turns with those of the others.
MPI_Datatype filetype(int ranks) {
    MPI_Datatype turns = MPI_DATATYPE_NULL;
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Type_vector(blocks, block, block * ranks, MPI_INT, &turns);
    MPI_Type_create_resized(turns, 0, MPI_Aint{block} * sizeof(int), &made);
    MPI_Type_commit(&made);
    MPI_Type_free(&turns);
    return made;
}

/// What lies in the file at this element of the rank.
int expected(int element, int rank, int ranks) { return (element / block * ranks + rank) * block + element % block; }

std::vector<int> elements_of(int rank, int ranks) {
    std::vector<int> all(std::size_t{blocks} * block);
    for (std::size_t i = 0; i < all.size(); ++i) {
        all[i] = expected(static_cast<int>(i), rank, ranks);
    }
    return all;
}

/// In two calls, the second from the middle of a block on; and back in one.
bool write_and_read(MPI_File file, std::vector<int> const& mine) {
    auto const count = static_cast<int>(mine.size());
    auto const first = count / 3 + 7;
    MPI_File_write_at_all(file, 0, mine.data(), first, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_write_at_all(file, first, mine.data() + first, count - first, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    std::vector<int> found(mine.size());
    MPI_File_read_at_all(file, 0, found.data(), count, MPI_INT, MPI_STATUS_IGNORE);
    return found == mine;
}

/// The file holds its elements' indices.
bool as_a_whole(MPI_File file, int ranks) {
    std::vector<int> found(std::size_t{blocks} * block * static_cast<std::size_t>(ranks));
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
    auto type = filetype(ranks);
    MPI_File_set_view(file, MPI_Offset{rank} * block * static_cast<MPI_Offset>(sizeof(int)), MPI_INT, type, "native",
                      MPI_INFO_NULL);
    MPI_Type_free(&type);
    int right = write_and_read(file, elements_of(rank, ranks)) && as_a_whole(file, ranks) ? 1 : 0;
    MPI_File_close(&file);
    MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (rank == 0) {
        std::puts(right != 0 ? "right" : "wrong");
        std::fflush(stdout);
    }
    MPI_Finalize();
    return right != 0 ? 0 : 1;
}
