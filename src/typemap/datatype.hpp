#pragma once

#include <mpi.h>

#include <cstdint>
#include <optional>

#include "typemap/type_map.hpp"

namespace weir {

/// An MPI datatype, seen from below: where its bytes lie, and how far apart several of it are.
struct Datatype {
    TypeMap map;
    std::int64_t extent = 0;  ///< from one to the next, in bytes; may be negative

    /// Its bytes fill its extent, from displacement 0 on: several are contiguous.
    [[nodiscard]] bool dense() const {
        return map.contiguous() && map.begin() == 0 && extent == static_cast<std::int64_t>(map.size());
    }

    /// `count` of them, one after the other, as a call's buffer holds them.
    [[nodiscard]] TypeMap times(std::uint64_t count) const { return TypeMap::repeat(map, count, extent); }
};

/// Reads how a datatype was constructed (MPI 3.1, section 4.1.13). Nothing where MPI does not tell that, or where it
/// was constructed in a way that is not known here. The type need not be committed. Local.
std::optional<Datatype> datatype_of(MPI_Datatype type);

}  // namespace weir
