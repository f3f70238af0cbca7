// A variable of more than 2^32 elements, written by the library and read by PnetCDF and by the library, in another
// distribution: for tests/system/large-arrays.sh. `large_pnetcdf FILE`; exit code 1: something was wrong.

#include "support/arrays/large_matrix.hpp"
#include "support/file_program.hpp"
#include "weir/pnetcdf.h"

namespace weir::testing {
namespace {

/// The variable as PnetCDF reads it, some rows at a time.
void verify_variable(char const* path) {
    int file = -1;
    int variable = -1;
    ncmpi_open(MPI_COMM_SELF, path, NC_NOWRITE, MPI_INFO_NULL, &file);
    ncmpi_inq_varid(file, "matrix", &variable);
    std::uint64_t wrong = 0;
    for (MPI_Offset row = 0; row < LargeMatrix::rows; row += 1024) {
        MPI_Offset const start[] = {row, 0};
        MPI_Offset const count[] = {std::min<MPI_Offset>(1024, LargeMatrix::rows - row), LargeMatrix::columns};
        std::vector<unsigned char> bytes(static_cast<std::size_t>(count[0] * count[1]));
        auto const status = ncmpi_get_vara_uchar_all(file, variable, start, count, bytes.data());
        if (status != NC_NOERR) {
            throw std::runtime_error(ncmpi_strerror(status));
        }
        auto const first = static_cast<std::uint64_t>(row * LargeMatrix::columns);
        for (std::uint64_t i = 0; i < bytes.size(); ++i) {
            wrong += std::byte{bytes[i]} == LargeMatrix::value(first + i) ? 0 : 1;
        }
    }
    ncmpi_close(file);
    LargeMatrix::need_none(wrong);
}

bool there_and_back(Communicator const& comm, std::string const& path) {
    char const* const names[] = {"matrix(y, x)"};
    nc_type const types[] = {NC_UBYTE};
    auto const file = path.c_str();
    return tried(comm, "a variable of classic netCDF", [&] {
        rows_there_and_columns_back(
            comm, "",
            [&](auto* plan, auto buffers, auto* error) {
                return weir_pnetcdf_write(plan, file, names, types, -1, buffers, error);
            },
            [&] { comm.is_root() ? verify_variable(file) : void(); },
            [&](auto* plan, auto buffers, auto* error) {
                return weir_pnetcdf_read(plan, file, names, types, -1, buffers, error);
            });
    });
}

}  // namespace
}  // namespace weir::testing

int main(int argc, char** argv) { return weir::testing::file_program(argc, argv, weir::testing::there_and_back); }
