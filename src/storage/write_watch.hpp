#pragma once

#include <optional>

namespace weir {

/// Keeps libraries in step when a write fails, and finds out what they do not say.
///
/// HDF5, PnetCDF and MPI-IO make collective calls around their writes. Where a write fails on one rank only, they leave
/// their function there, and the other ranks wait for it for ever; and some do not look at all whether it succeeded.
/// So while a watch exists, what this process writes, truncates or syncs, by whatever library, always seems to succeed,
/// and the error that there really was is noted here. It comes between the libraries and the C library's functions, as
/// a tool that is loaded before would, and in front of such tools.
///
/// Only errors of the disk are held back: no space, no quota, a file too large, an I/O error.
class WriteWatch {
  public:
    /// `error_number` keeps the first. One watch at a time, on the thread that calls the library.
    explicit WriteWatch(std::optional<int>& error_number);
    ~WriteWatch();
    WriteWatch(WriteWatch const&) = delete;
    WriteWatch& operator=(WriteWatch const&) = delete;
};

/// What to do about such an error.
char const* advice_on_writing(int error_number);

}  // namespace weir
