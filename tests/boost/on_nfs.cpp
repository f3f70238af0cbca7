// A file that libraries believe to be on NFS, written by ranks in turns: those of several nodes must leave it to MPI,
// as the line says that the boost library prints at the end.
//
//   on_nfs FILE

#include <mpi.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cstddef>
#include <string>
#include <vector>

namespace {

std::string path_on_nfs;

}  // namespace

extern "C" int statfs(char const* path, struct statfs* found) noexcept {
    auto const code = static_cast<int>(::syscall(SYS_statfs, path, found));
    if (path == path_on_nfs) {
        found->f_type = 0x6969;
    }
    return code;
}

int main(int argc, char** argv) {
    path_on_nfs = argv[1];
    MPI_Init(&argc, &argv);
    int rank = 0;
    int ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_File file = MPI_FILE_NULL;
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
    constexpr int block = 64;
    constexpr int blocks = 32;
    MPI_Datatype turns = MPI_DATATYPE_NULL;
    MPI_Type_vector(blocks, block, block * ranks, MPI_BYTE, &turns);
    MPI_Type_commit(&turns);
    MPI_File_set_view(file, MPI_Offset{rank} * block, MPI_BYTE, turns, "native", MPI_INFO_NULL);
    MPI_Type_free(&turns);
    std::vector<char> const bytes(std::size_t{blocks} * block);
    auto const code = MPI_File_write_at_all(file, 0, bytes.data(), blocks * block, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return code == MPI_SUCCESS ? 0 : 1;
}
