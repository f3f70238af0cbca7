#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "lowering/lowering.hpp"

namespace weir {

/// The messages and plain requests of one collective access.
struct Exchanged {
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<std::uint64_t>> messages;  ///< bytes, by from and to
    std::map<std::uint64_t, std::vector<Piece>> requests;                                    ///< by rank
};

/// The two-phase library's exchange for a collective access to an array. Time grows with ranks and windows.
Exchanged exchange_of(Access const&, Lowering const&);

}  // namespace weir
