#include "storage/backends/mpiio/file_pointer.hpp"

namespace weir {

int write_at_pointer(FilePointer pointer, bool collective, MpiRequest const& request, std::byte const* data,
                     MPI_Status* status) {
    auto const& [file, offset, what] = request;
    switch (pointer) {
        case FilePointer::individual:
            return (collective ? MPI_File_write_all : MPI_File_write)(file, data, what.count(), what.type(), status);
        case FilePointer::shared:
            return (collective ? MPI_File_write_ordered : MPI_File_write_shared)(file, data, what.count(), what.type(),
                                                                                 status);
        case FilePointer::explicit_offset:
            break;
    }
    return (collective ? MPI_File_write_at_all : MPI_File_write_at)(file, offset, data, what.count(), what.type(),
                                                                    status);
}

int read_at_pointer(FilePointer pointer, bool collective, MpiRequest const& request, std::byte* data,
                    MPI_Status* status) {
    auto const& [file, offset, what] = request;
    switch (pointer) {
        case FilePointer::individual:
            return (collective ? MPI_File_read_all : MPI_File_read)(file, data, what.count(), what.type(), status);
        case FilePointer::shared:
            return (collective ? MPI_File_read_ordered : MPI_File_read_shared)(file, data, what.count(), what.type(),
                                                                               status);
        case FilePointer::explicit_offset:
            break;
    }
    return (collective ? MPI_File_read_at_all : MPI_File_read_at)(file, offset, data, what.count(), what.type(),
                                                                  status);
}

int begin_write_at_pointer(FilePointer pointer, MpiRequest const& one, std::byte const* data, MPI_Request* request) {
    auto const& [file, offset, what] = one;
    switch (pointer) {
        case FilePointer::individual:
            return MPI_File_iwrite(file, data, what.count(), what.type(), request);
        case FilePointer::shared:
            return MPI_File_iwrite_shared(file, data, what.count(), what.type(), request);
        case FilePointer::explicit_offset:
            break;
    }
    return MPI_File_iwrite_at(file, offset, data, what.count(), what.type(), request);
}

int begin_read_at_pointer(FilePointer pointer, MpiRequest const& one, std::byte* data, MPI_Request* request) {
    auto const& [file, offset, what] = one;
    switch (pointer) {
        case FilePointer::individual:
            return MPI_File_iread(file, data, what.count(), what.type(), request);
        case FilePointer::shared:
            return MPI_File_iread_shared(file, data, what.count(), what.type(), request);
        case FilePointer::explicit_offset:
            break;
    }
    return MPI_File_iread_at(file, offset, data, what.count(), what.type(), request);
}

}  // namespace weir
