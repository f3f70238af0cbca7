#pragma once

#include <pnetcdf.h>

#include <string>

namespace weir {

// What the back-end and the library for netCDF have in common: a header alone, since nothing else is linked with
// PnetCDF.

#ifndef PNETCDF_DRIVER_NETCDF4
#define PNETCDF_DRIVER_NETCDF4 0
#endif

/// Opens a file as ncmpi_open() does, but no netCDF-4 file: a PnetCDF that was built with a driver for these opens them
/// through HDF5, which goes wherever the file's links lead. Collective.
inline int open_classic_netcdf(MPI_Comm comm, std::string const& path, int mode, MPI_Info info, int* file) {
    if constexpr (PNETCDF_DRIVER_NETCDF4 != 0) {
        int format = NC_FORMAT_UNKNOWN;
        auto const status = ncmpi_inq_file_format(path.c_str(), &format);
        auto const is_hdf5 = format == NC_FORMAT_NETCDF4 || format == NC_FORMAT_NETCDF4_CLASSIC;
        int refused = status == NC_NOERR && is_hdf5 ? 1 : 0;
        MPI_Allreduce(MPI_IN_PLACE, &refused, 1, MPI_INT, MPI_MAX, comm);
        if (refused != 0) {
            return NC_ENOTNC;
        }
    }
    return ncmpi_open(comm, path.c_str(), mode, info, file);
}

}  // namespace weir
