// Calls of many MiB: pieces of the file that are too long to be packed at once, and ranks that move much more than
// others, whose windows must grow all alike. Fails where a byte is wrong.
//
//   large_calls FILE

#include <mpi.h>

#include <cstddef>
#include <cstdio>
#include <vector>

namespace {

constexpr int block = 256;  ///< ints
constexpr int most = 16 << 10;

int rank = 0;

/// Blocks in memory with gaps between them, of which each rank has another number, in one piece of the file.
class Part {
  public:
    explicit Part(int blocks) : ints_(std::size_t{2} * block * static_cast<std::size_t>(blocks), -1) {
        MPI_Type_vector(blocks, block, 2 * block, MPI_INT, &type_);
        MPI_Type_commit(&type_);
    }
    Part(Part const&) = delete;
    Part& operator=(Part const&) = delete;
    ~Part() { MPI_Type_free(&type_); }

    void write(MPI_File file, MPI_Offset at) {
        for (std::size_t i = 0; i < ints_.size(); ++i) {
            ints_[i] = in_a_block(i) ? value(i) : -1;
        }
        MPI_File_write_at_all(file, at, ints_.data(), 1, type_, MPI_STATUS_IGNORE);
    }

    int wrong_after_read(MPI_File file, MPI_Offset at) {
        ints_.assign(ints_.size(), -1);
        MPI_File_read_at_all(file, at, ints_.data(), 1, type_, MPI_STATUS_IGNORE);
        int wrong = 0;
        for (std::size_t i = 0; i < ints_.size(); ++i) {
            wrong += ints_[i] == (in_a_block(i) ? value(i) : -1) ? 0 : 1;
        }
        return wrong;
    }

  private:
    static bool in_a_block(std::size_t i) { return i / block % 2 == 0; }
    static int value(std::size_t i) { return static_cast<int>(i) * 2 + rank; }

    std::vector<int> ints_;
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

int move_and_count_wrong(MPI_File file) {
    Part part(rank == 0 ? most : 16);
    auto const at = MPI_Offset{rank} * most * block;
    part.write(file, at);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_sync(file);
    return part.wrong_after_read(file, at);
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File file = MPI_FILE_NULL;
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    auto wrong = move_and_count_wrong(file);
    wrong += move_and_count_wrong(file);
    MPI_File_close(&file);
    if (wrong != 0) {
        std::fprintf(stderr, "rank %d: %d ints are wrong\n", rank, wrong);
    }
    MPI_Finalize();
    return wrong == 0 ? 0 : 1;
}
