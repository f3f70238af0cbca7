#pragma once

#include <array>
#include <memory>
#include <string_view>

#include "lowering/lowering.hpp"
#include "storage/backend.hpp"

namespace weir {

/// How the two-phase library gets distributed arrays into a file.
enum class Method {
    two_phase,   ///< blocks become whole planes, one part a rank, which it writes: Thakur et al. (1996), section 3.3
    rank0,       ///< everything to rank 0, which alone opens and writes: the routine that the paper replaced
    independent  ///< each rank writes the runs of its own block
};
constexpr std::array<std::string_view, 3> enum_names(Method) { return {"two-phase", "rank0", "independent"}; }

/// Of the files of a pattern, without looking at its phases. Error (usage) if the method is two-phase and the planes
/// (places along the slowest dimension) of its largest array are no multiple of the ranks. Local, as all here.
void check_planes(Method, Pattern const& files);

/// The library's back-end, set so that it does that: each array is moved by requests of (planes / ranks) planes of the
/// largest one, one a rank (two-phase), by one request of rank 0 (rank0), both unless they are larger than 1 GiB; or by
/// those of each rank's contiguous runs (independent). Messages also within a node, so that they are the paper's. Error
/// (usage) as check_planes().
std::unique_ptr<Backend> backend_for(Method, Pattern const& files);

/// The same as a rule for patterns.
Lowering lowering_for(Method, Pattern const& files);

}  // namespace weir
