#include "storage/backends/pnetcdf/pnetcdf_error.hpp"

#include <pnetcdf.h>

#include <utility>

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
            return "Check the directory, its free space and your permissions; the posix back-end tells more.";
    }
}

}  // namespace

Error pnetcdf_error(std::string problem, int status) {
    return Error({std::move(problem), ncmpi_strerror(status), advice_for(status), ExitCode::cannot_run});
}

}  // namespace weir
