#pragma once

#include <string>

namespace weir::boost {

/// A function (or a variable) of the program, or of a library with this in its file's name that is loaded, be it for
/// itself alone, as Python's modules are. Null: there is none. Local.
void* loaded_function(char const* library, char const* name);

/// "1.15.0" of the PnetCDF that is loaded; empty if none is. Local.
std::string pnetcdf_version();

/// Does PnetCDF of this version move data by a driver of its own, without MPI-IO?
bool has_own_driver(std::string const& pnetcdf);

/// The MPI that this library was built for.
std::string own_mpi();

/// What the program's MPI says of itself, be it another one. Local.
std::string program_mpi();

}  // namespace weir::boost
