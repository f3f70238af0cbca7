// A program that makes many large types, and frees them: the boost library must not keep what it knows of them. Fails
// where the process grows by much of what all of them together take.
//
//   types_are_freed FILE

#include <mpi.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <vector>

namespace {

constexpr int pieces = 20000;  ///< of a type
constexpr int types = 300;     ///< of 16 bytes a piece, 96 MB in all
constexpr long most = 24 << 20;

/// Bytes of memory that the process has.
long memory() {
    long all = 0;
    long present = 0;
    auto* const file = std::fopen("/proc/self/statm", "r");
    auto const found = std::fscanf(file, "%ld %ld", &all, &present);
    std::fclose(file);
    return found == 2 ? present * ::sysconf(_SC_PAGESIZE) : 0;
}

/// Of no bytes: it is enough that the library sees the type.
void call_by_new_type(MPI_File file, std::vector<MPI_Aint> const& at, std::vector<char> const& bytes) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_hindexed_block(pieces, 1, at.data(), MPI_BYTE, &type);
    MPI_Type_commit(&type);
    MPI_File_write_at_all(file, 0, bytes.data(), 0, type, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_File file = MPI_FILE_NULL;
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
    std::vector<MPI_Aint> at(pieces);
    for (std::size_t i = 0; i < at.size(); ++i) {
        at[i] = static_cast<MPI_Aint>(2 * i);
    }
    std::vector<char> const bytes(std::size_t{2} * pieces);
    call_by_new_type(file, at, bytes);
    auto const before = memory();
    for (int i = 0; i < types; ++i) {
        call_by_new_type(file, at, bytes);
    }
    auto const grown = memory() - before;
    if (grown > most) {
        std::fprintf(stderr, "%ld bytes more\n", grown);
    }
    MPI_File_close(&file);
    MPI_Finalize();
    return grown > most ? 1 : 0;
}
