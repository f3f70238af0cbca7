// How a netCDF file is opened and laid out.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <utility>

#include "comm/agreement.hpp"
#include "core/error.hpp"
#include "storage/backends/pnetcdf/pnetcdf_file.hpp"

namespace weir {

namespace {

/// The same request, which is refused before a file is made of it.
OpenRequest const& small_enough(OpenRequest const& request, std::uint64_t nonblocking) {
    constexpr std::uint64_t most = std::numeric_limits<int>::max();
    validate(nonblocking == 0 || request.transfer_bytes <= most / nonblocking,
             fmt::format("{} requests of {} bytes on their way are too much", nonblocking, request.transfer_bytes),
             fmt::format("PnetCDF takes at most {} bytes at once", most),
             "Choose a smaller nonblocking, or a smaller transfer.");
    return request;
}

}  // namespace

PnetcdfFile::PnetcdfFile(OpenRequest const& request, std::uint64_t nonblocking)
    : PnetcdfOpenFile(small_enough(request, nonblocking)),
      copies_(nonblocking > 0 && !request.data_stays && request.mode != OpenMode::read),
      transfer_bytes_(request.transfer_bytes),
      nonblocking_(nonblocking),
      shape_(request) {
    try {
        run_together(comm_, [&] {
            attempt(request.mode == OpenMode::create ? "create variables in" : "find the variables of", [&] {
                auto const status =
                    request.mode == OpenMode::create ? create_variables(request.out_of_time) : find_variables();
                return status == NC_NOERR ? prepare_transfers() : status;
            });
        });
    } catch (Error const&) {
        WriteWatch const watch(lost_);
        static_cast<void>(close_all());
        throw;
    }
}

int PnetcdfFile::create_variables(OutOfTime const& out_of_time) {
    int status = ncmpi_set_fill(file_, NC_NOFILL, nullptr);
    int dimension = 0;
    std::uint64_t of_bytes = 0;
    auto const define = [&](std::uint64_t index) {
        Variable variable{0, shape_.bytes_of(index)};
        if (variable.bytes != of_bytes) {
            of_bytes = variable.bytes;
            status = ncmpi_def_dim(file_, fmt::format("bytes-{}", of_bytes).c_str(), static_cast<MPI_Offset>(of_bytes),
                                   &dimension);
        }
        if (status == NC_NOERR) {
            status = ncmpi_def_var(file_, shape_.name_of(index).c_str(), NC_UBYTE, 1, &dimension, &variable.id);
        }
        variables_.push_back(variable);
        return status == NC_NOERR;
    };
    auto const reached = status == NC_NOERR ? shape_.go_through(comm_, out_of_time, define) : 0;
    if (status == NC_NOERR && reached < shape_.count()) {
        // To write what has been defined would take as long again.
        ncmpi_abort(std::exchange(file_, -1));
        shape_.refuse_late(reached);
    }
    // Of all ranks, in whatever state: it is collective.
    auto const ended = ncmpi_enddef(file_);
    return status == NC_NOERR ? ended : status;
}

/// The library does not say where a file ends before its variables do, so that ranks look themselves.
int PnetcdfFile::find_variables() {
    std::error_code ignored;
    auto const found = comm_.is_root() ? std::filesystem::file_size(path_, ignored) : 0;
    auto const file_bytes = comm_.max(ignored ? std::uint64_t{0} : std::uint64_t{found});
    int status = NC_NOERR;
    for (std::uint64_t i = 0; i < shape_.count() && status == NC_NOERR; ++i) {
        Variable variable;
        int dimension = 0;
        MPI_Offset bytes = 0;
        status = ncmpi_inq_varid(file_, shape_.name_of(i).c_str(), &variable.id);
        if (status == NC_NOERR) {
            ncmpi_inq_vardimid(file_, variable.id, &dimension);
            ncmpi_inq_dimlen(file_, dimension, &bytes);
            auto const begin = begin_of(variable.id);
            auto const left = file_bytes > begin ? file_bytes - begin : 0;
            variable.bytes = std::min(static_cast<std::uint64_t>(bytes), left);
        }
        variables_.push_back(variable);
    }
    return status;
}

int PnetcdfFile::prepare_transfers() {
    auto status = collective_ ? NC_NOERR : ncmpi_begin_indep_data(file_);
    if (status == NC_NOERR && copies_) {
        auto const bytes = nonblocking_ * transfer_bytes_;
        status = ncmpi_buffer_attach(file_, static_cast<MPI_Offset>(bytes));
    }
    return status;
}

}  // namespace weir
