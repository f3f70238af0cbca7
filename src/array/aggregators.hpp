#pragma once

#include <cstdint>
#include <vector>

namespace weir::array {

/// Which ranks of a team write or read for it: `count` of them, spread over the nodes as evenly as can be, in the order
/// of their ranks. `node` says for each rank which node it is on. Pure.
std::vector<std::uint64_t> choose_aggregators(std::vector<std::uint64_t> const& node, std::uint64_t count);

}  // namespace weir::array
