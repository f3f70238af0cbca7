#pragma once

#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "apps/common/grid.hpp"
#include "lowering/lowering.hpp"
#include "storage/backend.hpp"

namespace weir::cloud {

/// How distributed arrays get into a file.
enum class Method {
    two_phase,   ///< (block,block,block) becomes (*,*,block); then one request a rank: the paper's section 3.3
    rank0,       ///< everything to rank 0, which alone opens and writes: the routine that the paper replaced
    independent  ///< each rank writes the runs of its own block
};
constexpr std::array<std::string_view, 3> enum_names(Method) { return {"two-phase", "rank0", "independent"}; }

/// A way to storage in place of the two-phase library: what becomes of arrays is its own affair.
struct OtherBackend {
    Backend* object = nullptr;
    std::string name;
    bool collective = true;  ///< do all ranks ask for an array together?
    bool bytes = true;       ///< are files the bytes of the arrays, or of a format of its own?
};

/// Error (usage) if the method is two-phase and nz is no multiple of the ranks. Local.
void check_planes(Method, Triple const& cells, std::uint64_t ranks);

/// The two-phase library's back-end, set so that it does that: each array is moved by requests of (nz / ranks) planes,
/// one a rank (two-phase), by one request of rank 0 (rank0), both unless they are larger than 1 GiB; or by those of
/// each rank's contiguous runs (independent). Messages also within a node, so that they are the paper's. Local. Error
/// (usage) as check_planes().
std::unique_ptr<Backend> backend_for(Method, Triple const& cells, std::uint64_t ranks);

/// The same as a rule for patterns. Local.
Lowering lowering_for(Method, Triple const& cells, std::uint64_t ranks);

}  // namespace weir::cloud
