#pragma once

#include <mpi.h>

#include <optional>

#include "typemap/datatype.hpp"

namespace weir::boost {

/// What datatype_of() says, kept at the type until it is freed. Local.
std::optional<Datatype> known_type(MPI_Datatype type);

}  // namespace weir::boost
