#pragma once

#include <optional>
#include <string>

#include "core/error.hpp"

namespace weir {

/// Keeps libraries in step when a call on a file fails, and detects errors that they hide.
///
/// HDF5, PnetCDF and MPI-IO make collective calls around their requests. If a request fails on one rank only, that rank
/// leaves the library's function, and the other ranks wait for it forever; and some libraries ignore failures. So while
/// a watch exists, all reads, writes, truncates and syncs of this process, by any library, appear to succeed, and the
/// actual error is recorded here. The functions interpose between the libraries and the C library, as a preloaded tool
/// would, and before such tools. open_error_interposer.cpp watches opens.
///
/// Only disk errors are held back: no space, no quota, a file too large, an I/O error.
class WriteWatch {
  public:
    /// `error_number` gets the first error. One watch at a time, on the thread that calls the library.
    explicit WriteWatch(std::optional<int>& error_number);
    ~WriteWatch();
    WriteWatch(WriteWatch const&) = delete;
    WriteWatch& operator=(WriteWatch const&) = delete;
};

/// Is there a watch? And: record its error, unless it has one.
bool is_watching();
void note_for_watch(int error_number);

/// Recorded on ranks without an error if the call failed on another rank.
constexpr int failed_elsewhere = -1;

/// Advice for an error on a file of a case.
char const* advice_on_file(int error_number);

/// The error that a watch has recorded. The exit code of failed_elsewhere is success: in agree() it yields to the error
/// of the rank where it happened.
Error watched_error(std::string problem, int error_number);

// Opens of a file through MPI-IO, while there is a WriteWatch: by our own back-end, by HDF5 or by PnetCDF.
//
// If the file cannot be opened on one rank only (no descriptor left, a directory that its node does not see), MPI's own
// function returns there, while the others wait in it forever. So that rank gets another descriptor instead, all ranks
// leave the function, and all learn whether some rank failed. The same for MPI's internal files, if descriptors run
// out. With or without a watch, symbolic links are not followed in the place of the file or of one that MPI makes
// meanwhile: in a directory that others write to, one might lead to another user's file.

/// Keeps a few spare descriptors for that; Error (cannot_run) if there are none. Local; a back-end that opens files
/// this way must call it before.
void prepare_to_open_together();

}  // namespace weir
