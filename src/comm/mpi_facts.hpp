#pragma once

#include <optional>
#include <string>

namespace weir {

/// A control variable of the MPI library, from the tool interface of MPI 3.0: integers and flags as numbers, texts
/// unchanged. Nothing if the library has no such variable.
std::optional<std::string> mpi_control_variable(std::string const& name);

/// Do waiting ranks spin? Nothing if the library does not report it.
std::optional<bool> mpi_spins();

}  // namespace weir
