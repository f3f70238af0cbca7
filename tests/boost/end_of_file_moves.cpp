// A file that becomes shorter after ranks have asked where it ends: what they do not find, the boost library must leave
// to MPI, which tells how much there was.
//
//   end_of_file_moves FILE

#include <mpi.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <vector>

namespace {

bool becomes_shorter = false;

}  // namespace

extern "C" int fstat(int descriptor, struct stat* found) noexcept {
    auto const code = static_cast<int>(::syscall(SYS_fstat, descriptor, found));
    found->st_size += becomes_shorter ? 1 << 20 : 0;
    return code;
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File file = MPI_FILE_NULL;
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
    constexpr int length = 6000;  // of what each rank reads
    constexpr int present = length + length / 2;
    MPI_File_set_size(file, present);
    std::vector<char> bytes(length, 'x');
    MPI_Status status;
    becomes_shorter = true;
    MPI_File_read_at_all(file, MPI_Offset{rank} * length, bytes.data(), length, MPI_BYTE, &status);
    becomes_shorter = false;
    int count = 0;
    MPI_Get_count(&status, MPI_BYTE, &count);
    bool const right = count == (rank == 0 ? length : present - length);
    if (!right) {
        std::fprintf(stderr, "rank %d: wrong: %d bytes\n", rank, count);
    }
    MPI_File_close(&file);
    MPI_Finalize();
    return right ? 0 : 1;
}
