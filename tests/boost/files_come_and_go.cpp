// Files of some of the ranks, at the same time and one after the other: what the boost library holds of one must not be
// taken for another's, and goes with it. Fails where bytes are wrong or descriptors stay open.
//
//   files_come_and_go FILE

#include <mpi.h>

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

namespace {

constexpr int block = 64;
constexpr int blocks = 100;

class File {
  public:
    File(MPI_Comm comm, std::string const& path) {
        MPI_Comm_rank(comm, &rank_);
        MPI_Comm_size(comm, &ranks_);
        MPI_File_open(comm, path.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                      &file_);
        MPI_Datatype turns = MPI_DATATYPE_NULL;
        MPI_Type_vector(blocks, block, ranks_ * block, MPI_BYTE, &turns);
        MPI_Type_commit(&turns);
        MPI_File_set_view(file_, MPI_Offset{rank_} * block, MPI_BYTE, turns, "native", MPI_INFO_NULL);
        MPI_Type_free(&turns);
    }
    File(File const&) = delete;
    File& operator=(File const&) = delete;
    ~File() { MPI_File_close(&file_); }

    /// Whether what was written is read.
    bool write_and_read(char letter) {
        std::vector<char> const written(std::size_t{block} * blocks, static_cast<char>(letter + rank_));
        std::vector<char> found(written.size());
        MPI_File_write_at_all(file_, 0, written.data(), block * blocks, MPI_BYTE, MPI_STATUS_IGNORE);
        MPI_File_sync(file_);
        MPI_File_read_at_all(file_, 0, found.data(), block * blocks, MPI_BYTE, MPI_STATUS_IGNORE);
        return found == written;
    }

  private:
    MPI_File file_ = MPI_FILE_NULL;
    int rank_ = 0;
    int ranks_ = 1;
};

/// Each half of the ranks makes as many calls as it likes.
bool halves(std::string const& path, int rank) {
    int const half = rank % 2;
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, half, 0, &comm);
    bool right = true;
    {
        File file(comm, path + std::to_string(half));
        for (int i = 0; i < 1 + 3 * half; ++i) {
            right = file.write_and_read(static_cast<char>('a' + i)) && right;
        }
    }
    MPI_Comm_free(&comm);
    return right;
}

/// A file of one rank, which may get the handle of one of all ranks that was closed.
bool alone(std::string const& path, int rank) {
    return rank != 0 || File(MPI_COMM_SELF, path + "alone").write_and_read('s');
}

long open_descriptors() {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator());
}

bool closes_all(std::string const& path) {
    auto const before = open_descriptors();
    for (int i = 0; i < 10; ++i) {
        File(MPI_COMM_WORLD, path).write_and_read('w');
    }
    return open_descriptors() <= before + 2;
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::string const path = argv[1];
    int wrong = 0;
    auto const expect = [&](bool right, char const* what) {
        if (!right) {
            std::fprintf(stderr, "rank %d: wrong: %s\n", rank, what);
            ++wrong;
        }
    };
    expect(File(MPI_COMM_WORLD, path).write_and_read('f'), "a file of all ranks");
    expect(halves(path, rank), "files of half of the ranks");
    expect(closes_all(path), "descriptors are left open");
    expect(alone(path, rank), "a file of one rank");
    MPI_Finalize();
    return wrong == 0 ? 0 : 1;
}
