#include "storage/backends/pnetcdf/pnetcdf_open_file.hpp"

#include <utility>

#include "core/classic_netcdf.hpp"
#include "storage/hints.hpp"
#include "storage/reserve_space.hpp"

namespace weir {
namespace {

char const* advice_for(int status) {
    switch (status) {
        case NC_ENOENT:
        case NC_EBAD_FILE:
            return "Check the directory, and that the file was written before it is read.";
        case NC_ENOTNC:
        case NC_ENOTVAR:
            return "It was not written by this back-end with this shape: write it first.";
        case NC_EACCESS:
        case NC_EPERM:
            return "Choose a directory that you may write to.";
        case NC_ENO_SPACE:
        case NC_EQUOTA:
            return "Free space, or write less.";
        case NC_EMAX_REQ:
            return "Choose a smaller transfer, or a smaller nonblocking.";
        default:
            return "Check the directory, its free space and your permissions; the posix back-end gives more detail.";
    }
}

}  // namespace

Error Pnetcdf::error(std::string problem, int status) {
    return Error({std::move(problem), ncmpi_strerror(status), advice_for(status), ExitCode::cannot_run});
}

PnetcdfOpenFile::PnetcdfOpenFile(OpenRequest const& request) : LibraryFile(request) {
    run_together(comm_, [&] {
        MpiInfo const info(request.hints);
        attempt(IoCall::open, 0, [&] {
            // CDF-5: no 4 GiB limit on offsets or variables.
            return request.mode == OpenMode::create
                       ? ncmpi_create(comm_.handle(), path_.c_str(), NC_CLOBBER | NC_64BIT_DATA, info.get(), &file_)
                       : open_classic_netcdf(comm_.handle(), path_,
                                             request.mode == OpenMode::read ? NC_NOWRITE : NC_WRITE, info.get(),
                                             &file_);
        });
    });
}

Hints PnetcdfOpenFile::hints() const {
    MPI_Info info = MPI_INFO_NULL;
    ncmpi_inq_file_info(file_, &info);
    return read_and_free(info);
}

std::uint64_t PnetcdfOpenFile::begin_of(int variable) const {
    MPI_Offset begin = 0;
    ncmpi_inq_varoffset(file_, variable, &begin);
    return static_cast<std::uint64_t>(begin);
}

// PnetCDF sets a file's size without reserving space.
void PnetcdfOpenFile::reserve(std::uint64_t bytes) {
    run_together(comm_, [&] {
        if (comm_.is_root()) {
            reserve_space(path_, bytes);
        }
    });
}

}  // namespace weir
