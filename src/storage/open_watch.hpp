#pragma once

namespace weir {

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
