#include "storage/backends/pnetcdf/pnetcdf_open_file.hpp"

#include <fmt/format.h>

#include "comm/agreement.hpp"
#include "storage/backends/pnetcdf/pnetcdf_error.hpp"
#include "storage/mpi_info.hpp"
#include "storage/reserve_space.hpp"

namespace weir {

PnetcdfOpenFile::PnetcdfOpenFile(OpenRequest const& request)
    : path_(request.path.string()), comm_(request.comm), collective_(request.collective), counter_(request.counter) {
    run_together(comm_, [&] {
        MpiInfo const info(request.hints);
        attempt(IoCall::open, 0, [&] {
            // CDF-5: neither offsets nor variables end at 4 GiB.
            return request.mode == OpenMode::create
                       ? ncmpi_create(comm_.handle(), path_.c_str(), NC_CLOBBER | NC_64BIT_DATA, info.get(), &file_)
                       : ncmpi_open(comm_.handle(), path_.c_str(),
                                    request.mode == OpenMode::read ? NC_NOWRITE : NC_WRITE, info.get(), &file_);
        });
    });
}

void PnetcdfOpenFile::fail(char const* what, int status) {
    auto const problem = fmt::format("cannot {} '{}' through PnetCDF", what, path_);
    if (auto const error_number = std::exchange(lost_, {})) {
        throw watched_error(problem, *error_number);
    }
    throw pnetcdf_error(problem, status);
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

// PnetCDF sets a file's size without reserving anything.
void PnetcdfOpenFile::reserve(std::uint64_t bytes) {
    run_together(comm_, [&] {
        if (comm_.is_root()) {
            reserve_space(path_, bytes);
        }
    });
}

}  // namespace weir
