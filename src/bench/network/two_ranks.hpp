#pragma once

#include <cstdint>
#include <string>

#include "core/error.hpp"

namespace weir {

/// Refuses (Error, usage) a benchmark of messages on a single rank.
inline void need_two_ranks(std::uint64_t ranks, std::string const& benchmark) {
    validate(ranks >= 2, "the benchmark " + benchmark + " needs at least two ranks", "one rank has nobody to talk to",
             "start it on more, as in `mpirun -n 2`, or with ranks = 2 in the study");
}

}  // namespace weir
