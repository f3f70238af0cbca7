#pragma once

#include "apps/cloud/decomposition.hpp"
#include "apps/cloud/dump/method.hpp"
#include "core/error.hpp"
#include "weir/array.hpp"

namespace weir::cloud {

/// A plan of the two-phase library for arrays on these blocks whose elements have so many bytes: made once, used for
/// every array of every dump. Each array is then moved by requests of (nz / ranks) planes, one a rank (two-phase), by
/// one request of rank 0 (rank0), both unless they are larger than 1 GiB; or by those of each rank's contiguous runs
/// (independent). Error (usage) as check_planes(). Collective.
io::Plan plan_of_arrays(Decomposition const&, Method, std::uint64_t element_bytes);

/// Error (usage) if the method is two-phase and nz is no multiple of the ranks. Local.
void check_planes(Method, Triple const& cells, std::uint64_t ranks);

/// What the library threw, as one of our errors.
inline Error our_error(io::Error const& error) {
    Diagnosis diagnosis{error.what(), "", "", ExitCode::cannot_run};
    if (error.rank() >= 0) {
        diagnosis.rank = static_cast<std::uint64_t>(error.rank());
    }
    return Error(diagnosis);
}

}  // namespace weir::cloud
