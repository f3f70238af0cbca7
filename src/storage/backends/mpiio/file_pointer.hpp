#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <string_view>

#include "storage/backends/mpiio/mpi_types.hpp"

namespace weir {

/// Where a request is in the file: at the offset that it carries, at its process's own file pointer, or at the one that
/// all processes share (MPI 4.1, section 14.4).
enum class FilePointer { explicit_offset, individual, shared };
constexpr std::array<std::string_view, 3> enum_names(FilePointer) { return {"explicit", "individual", "shared"}; }
constexpr std::array<std::string_view, 3> enum_words(FilePointer) {
    return {"", "individual pointer", "shared pointer"};
}

/// One request to a file. The offset counts only without a pointer.
struct MpiRequest {
    MPI_File file;
    MPI_Offset offset;
    MpiCount const& what;
};

/// MPI_File_write_at, MPI_File_write or MPI_File_write_shared, and collective, on all ranks of the file, those with
/// _all or MPI_File_write_ordered. Returns what the call returns, as all of these.
int write_at_pointer(FilePointer, bool collective, MpiRequest const&, std::byte const* data, MPI_Status*);

/// The same for reads.
int read_at_pointer(FilePointer, bool collective, MpiRequest const&, std::byte* data, MPI_Status*);

/// MPI_File_iwrite_at, MPI_File_iwrite or MPI_File_iwrite_shared.
int begin_write_at_pointer(FilePointer, MpiRequest const&, std::byte const* data, MPI_Request*);

/// The same for reads.
int begin_read_at_pointer(FilePointer, MpiRequest const&, std::byte* data, MPI_Request*);

}  // namespace weir
