#pragma once

#include <optional>
#include <string>

#include "core/error.hpp"

namespace weir {

/// Keeps libraries in step when a call on a file fails, and finds out what they do not say.
///
/// HDF5, PnetCDF and MPI-IO make collective calls around their requests. Where one fails on one rank only, they leave
/// their function there, and the other ranks wait for it for ever; and some do not look at all whether it succeeded.
/// So while a watch exists, what this process reads, writes, truncates or syncs, by whatever library, always seems to
/// succeed, and the error that there really was is noted here. It comes between the libraries and the C library's
/// functions, as a tool that is loaded before would, and in front of such tools. What a file is opened by is watched in
/// open_error_interposer.cpp.
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

/// Is there a watch? And its error, unless it has one.
bool is_watching();
void note_for_watch(int error_number);

/// What a watch notes on a rank that all went well on, where the call failed on another one.
constexpr int failed_elsewhere = -1;

/// What to do about an error of a call on a file of a case.
char const* advice_on_file(int error_number);

/// The error that a watch has noted. Of failed_elsewhere its exit code is fine: where ranks agree(), it counts for
/// nothing beside that of the rank where it happened.
Error watched_error(std::string problem, int error_number);

// Opening a file through MPI-IO, while there is a WriteWatch: by our own back-end, by HDF5 or by PnetCDF.
//
// Where the file cannot be opened on one rank only (no descriptor left, a directory that its node does not see), an
// MPI's own function returns there, while the others wait in it for ever. So it gets another descriptor in place of
// that file's, all leave the function, and all hear whether some rank has failed. The same for files of the MPI's own,
// where descriptors are used up. Nor is a link followed: in a directory that others write to, it might lead to a file
// of another user.

/// Keeps a few descriptors for that; Error (cannot_run) where there are none. Local; a back-end that opens files so
/// calls it before.
void prepare_to_open_together();

}  // namespace weir
