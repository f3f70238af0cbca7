#pragma once

#include <cstdint>

#include "pattern/pattern.hpp"

namespace weir {

/// The places of bytes that are written at the file pointer that all ranks of a file share. From where an access
/// begins, collective requests lie one behind the other in the order of ranks, one of each rank a round. Independent
/// ones lie in the order in which they happen to be made: if all have the same length, the file has one of them in each
/// multiple of that length, but which one is decided at run time.

/// Does that pointer put each collective request where the access has it?
bool in_rank_order(Access const&);

/// Do the requests of all ranks, which have one length, leave no gap?
bool fill_without_gaps(Access const&);

/// The first byte of the access on any rank of a shared file, or on this one.
std::uint64_t first_byte(Access const&);
std::uint64_t first_byte(Access const&, Rank);

/// Refuses (Error, usage) accesses of a pattern to places that this pointer does not give.
void refuse_other_places(Pattern const&);

}  // namespace weir
