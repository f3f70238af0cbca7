#pragma once

#include <cstdint>
#include <vector>

#include "typemap/datatype.hpp"

namespace weir {

/// What of an array's dimension one process holds, in elements: blocks of one length, equally far apart.
struct Distribution {
    std::uint64_t size = 0;   ///< of the dimension
    std::uint64_t start = 0;  ///< of the first block
    std::uint64_t block = 0;  ///< its length
    std::uint64_t count = 1;  ///< of whole blocks
    std::uint64_t stride = 0;
    std::uint64_t rest = 0;  ///< length of the block behind those, which the dimension's end cuts
};

/// A dimension distributed by MPI_Type_create_darray() (MPI 3.1, section 4.1.4): `how` is MPI_DISTRIBUTE_BLOCK, _CYCLIC
/// or _NONE, `argument` the length of a block or MPI_DISTRIBUTE_DFLT_DARG, and `place` the process's place among them.
Distribution distributed(std::uint64_t size, int how, int argument, std::uint64_t processes, std::uint64_t place);

/// The part of an array that these say, a dimension each in the order of the construction's arguments.
TypeMap part_of_array(Datatype const& element, std::vector<Distribution> along, bool last_runs_fastest);

}  // namespace weir
