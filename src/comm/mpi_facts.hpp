#pragma once

#include <optional>
#include <string>

namespace weir {

/// A control variable of the MPI library, by the tool interface of MPI 3.0: integers and flags as their number, texts
/// as they are. Nothing where the library has no such variable.
std::optional<std::string> mpi_control_variable(std::string const& name);

/// Do waiting ranks keep their core busy? Nothing where the library does not tell.
std::optional<bool> mpi_spins();

}  // namespace weir
