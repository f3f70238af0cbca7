#pragma once

#include <array>
#include <string_view>

namespace weir::cloud {

/// How distributed arrays get into a file.
enum class Method {
    two_phase,   ///< (block,block,block) becomes (*,*,block); then one request a rank: the paper's section 3.3
    rank0,       ///< everything to rank 0, which alone opens and writes: the routine that the paper replaced
    independent  ///< each rank writes the runs of its own block
};
constexpr std::array<std::string_view, 3> enum_names(Method) { return {"two-phase", "rank0", "independent"}; }

}  // namespace weir::cloud
