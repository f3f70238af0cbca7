// A dataset of more than 2^32 elements, written by the library and read by HDF5 and by the library, in another
// distribution: for tests/system/large-arrays.sh. `large_hdf5 FILE`; exit code 1: something was wrong.

#include "support/arrays/large_matrix.hpp"
#include "support/file_program.hpp"
#include "weir/hdf5.h"

namespace weir::testing {
namespace {

/// The dataset as HDF5 reads it, some rows at a time.
void verify_dataset(char const* path) {
    auto const file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    auto const dataset = H5Dopen2(file, "matrix", H5P_DEFAULT);
    auto const space = H5Dget_space(dataset);
    std::uint64_t wrong = 0;
    for (hsize_t row = 0; row < LargeMatrix::rows; row += 1024) {
        hsize_t const start[] = {row, 0};
        hsize_t const count[] = {std::min<hsize_t>(1024, LargeMatrix::rows - row), LargeMatrix::columns};
        std::vector<std::byte> bytes(count[0] * count[1]);
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, count, nullptr);
        auto const memory = H5Screate_simple(2, count, nullptr);
        if (H5Dread(dataset, H5T_NATIVE_UCHAR, memory, space, H5P_DEFAULT, bytes.data()) < 0) {
            throw std::runtime_error("HDF5 cannot read the dataset");
        }
        H5Sclose(memory);
        for (std::uint64_t i = 0; i < bytes.size(); ++i) {
            wrong += bytes[i] == LargeMatrix::value(row * LargeMatrix::columns + i) ? 0 : 1;
        }
    }
    H5Sclose(space);
    H5Dclose(dataset);
    H5Fclose(file);
    LargeMatrix::need_none(wrong);
}

bool there_and_back(Communicator const& comm, std::string const& path) {
    char const* const names[] = {"matrix"};
    H5open();
    hid_t const types[] = {H5T_NATIVE_UCHAR};
    auto const file = path.c_str();
    return tried(comm, "an HDF5 dataset", [&] {
        rows_there_and_columns_back(
            comm, "",
            [&](auto* plan, auto buffers, auto* error) {
                return weir_hdf5_write(plan, file, names, types, buffers, error);
            },
            [&] { comm.is_root() ? verify_dataset(file) : void(); },
            [&](auto* plan, auto buffers, auto* error) {
                return weir_hdf5_read(plan, file, names, types, buffers, error);
            });
    });
}

}  // namespace
}  // namespace weir::testing

int main(int argc, char** argv) { return weir::testing::file_program(argc, argv, weir::testing::there_and_back); }
