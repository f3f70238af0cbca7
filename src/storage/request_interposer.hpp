#pragma once

#include "core/clock.hpp"
#include "storage/array_times.hpp"

namespace weir {

/// While it exists, the calls of MPI_File_write and its kin that this process makes are counted and timed, by whatever
/// library: below HDF5 and PnetCDF they are the requests. The functions interpose as those of
/// write_error_interposer.cpp do. One watch at a time, on the thread that calls the library.
class RequestWatch {
  public:
    /// `requests` gets them.
    RequestWatch(Spent& requests, Clock const& clock);
    ~RequestWatch();
    RequestWatch(RequestWatch const&) = delete;
    RequestWatch& operator=(RequestWatch const&) = delete;
};

}  // namespace weir
