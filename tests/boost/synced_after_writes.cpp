// What the boost library has written on a rank must be on the device after MPI_File_sync(): fails unless each rank
// calls fsync(), and tells where that fails. With these hints ROMIO by itself calls it on the first rank only, since it
// has no file open on the others.
//
//   synced_after_writes FILE

#include <mpi.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <vector>

namespace {

int syncs = 0;
bool device_fails = false;

/// Bytes of all ranks in turns, over several pages for each of them.
void write_in_turns(MPI_File file, int rank, int ranks) {
    constexpr int blocks = 512;
    constexpr int block = 128;
    MPI_Datatype turns = MPI_DATATYPE_NULL;
    MPI_Type_vector(blocks, block, block * ranks, MPI_BYTE, &turns);
    MPI_Type_commit(&turns);
    MPI_File_set_view(file, MPI_Offset{rank} * block, MPI_BYTE, turns, "native", MPI_INFO_NULL);
    MPI_Type_free(&turns);
    std::vector<char> const bytes(std::size_t{blocks} * block, static_cast<char>('a' + rank));
    MPI_File_write_at_all(file, 0, bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, MPI_STATUS_IGNORE);
}

/// What has been written stays to be synced.
void read_back(MPI_File file) {
    std::vector<char> bytes(4096);
    MPI_File_read_at_all(file, 0, bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, MPI_STATUS_IGNORE);
}

/// Bytes of the first rank alone, which the others write too.
void write_on_the_first(MPI_File file, int rank) {
    std::vector<char> const bytes(rank == 0 ? 1 << 18 : 0, 'x');
    MPI_File_set_view(file, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL);
    MPI_File_write_at_all(file, 0, bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, MPI_STATUS_IGNORE);
}

/// 1: this rank was not told that the device failed.
int sync_on_failing_device(MPI_File file, int rank) {
    device_fails = true;
    bool const told = MPI_File_sync(file) != MPI_SUCCESS;
    device_fails = false;
    if (!told) {
        std::fprintf(stderr, "rank %d was not told of a failure\n", rank);
    }
    return told ? 0 : 1;
}

/// 1: this rank has not synced.
int sync(MPI_File file, int rank) {
    syncs = 0;
    bool const done = MPI_File_sync(file) == MPI_SUCCESS;
    if (syncs == 0) {
        std::fprintf(stderr, "rank %d has not synced\n", rank);
    }
    return done && syncs > 0 ? 0 : 1;
}

}  // namespace

extern "C" int fsync(int descriptor) {
    ++syncs;
    if (device_fails) {
        errno = EIO;
        return -1;
    }
    return static_cast<int>(::syscall(SYS_fsync, descriptor));
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    int ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Info hints = MPI_INFO_NULL;
    MPI_Info_create(&hints);
    MPI_Info_set(hints, "romio_no_indep_rw", "true");
    MPI_Info_set(hints, "cb_nodes", "1");
    MPI_File file = MPI_FILE_NULL;
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, hints, &file);
    MPI_Info_free(&hints);

    write_in_turns(file, rank, ranks);
    read_back(file);
    int failed = sync(file, rank);
    write_on_the_first(file, rank);
    failed += sync_on_failing_device(file, rank);
    failed += sync(file, rank);
    MPI_File_close(&file);
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return failed;
}
