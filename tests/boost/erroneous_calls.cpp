// Collective calls that a program must not make are refused with the boost library as without: prints what each of them
// gives, on the first rank. Fails where one of them is accepted.
//
//   erroneous_calls FILE

#include <mpi.h>

#include <cstdio>
#include <vector>

namespace {

constexpr int bytes = 1 << 16;
int accepted = 0;

void told(char const* what, int code) {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (code == MPI_SUCCESS) {
        ++accepted;
        std::printf("rank %d: %s is accepted\n", rank, what);
    }
}

/// One that has begun is not disturbed by those that are refused.
void split_calls(MPI_File file, MPI_Offset at, std::vector<char>& data) {
    MPI_Status status;
    MPI_File_write_at_all_begin(file, at, data.data(), bytes, MPI_BYTE);
    told("a second split call", MPI_File_write_at_all_begin(file, at, data.data(), bytes, MPI_BYTE));
    told("one of the other direction", MPI_File_read_at_all_begin(file, at, data.data(), bytes, MPI_BYTE));
    int count = 0;
    if (MPI_File_write_at_all_end(file, data.data(), &status) != MPI_SUCCESS ||
        MPI_Get_count(&status, MPI_BYTE, &count) != MPI_SUCCESS || count != bytes) {
        ++accepted;
        std::printf("the one that has begun does not end\n");
    }
    told("an end without a begin", MPI_File_write_at_all_end(file, data.data(), &status));
}

/// All ranks give it, so that none waits for another.
void types(MPI_File file, MPI_Offset at, std::vector<char>& data) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_vector(2, bytes / 4, bytes / 2, MPI_BYTE, &type);
    told("a type that is not committed", MPI_File_write_at_all(file, at, data.data(), 1, type, MPI_STATUS_IGNORE));
    MPI_Type_commit(&type);
    if (MPI_File_write_at_all(file, at, data.data(), 1, type, MPI_STATUS_IGNORE) != MPI_SUCCESS) {
        ++accepted;
        std::printf("a type that is committed later is refused\n");
    }
    MPI_Type_free(&type);
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File file = MPI_FILE_NULL;
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
    std::vector<char> data(bytes, 'x');
    auto const at = MPI_Offset{rank} * bytes;
    split_calls(file, at, data);
    types(file, at, data);
    MPI_File_close(&file);
    MPI_Finalize();
    return accepted > 0 ? 1 : 0;
}
