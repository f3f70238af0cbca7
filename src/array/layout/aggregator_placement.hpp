#pragma once

#include <cstdint>
#include <vector>

#include "array/layout/file_domain.hpp"
#include "array/layout/region.hpp"
#include "array/layout/share.hpp"

namespace weir::array {

/// How a region is divided among the ranks that move it.
struct Aggregation {
    std::vector<std::uint64_t> aggregators{};  ///< their ranks in the group, in the order of their domains
    std::uint64_t align = 1;                   ///< domains end at multiples of it, less the phase
    std::uint64_t window = 1;                  ///< bytes of a slot
    std::uint64_t phase = 0;
};

/// An aggregator that moves some of a rank's bytes.
struct Partner {
    std::uint64_t rank = 0;  ///< in the group
    FileDomain domain;
};

/// The part of the region that aggregator `index` moves. Pure, as all of these.
FileDomain file_domain(Region const&, Aggregation const&, std::uint64_t index);

/// The aggregators that a rank with this share of the region exchanges with, in their order.
std::vector<Partner> partners(Region const&, Share const&, Aggregation const&);

/// Which ranks of a group write or read for it: `count` of them, spread over the nodes as evenly as can be, in the
/// order of their ranks. `node` says for each rank which node it is on. Pure.
std::vector<std::uint64_t> place_aggregators(std::vector<std::uint64_t> const& node, std::uint64_t count);

}  // namespace weir::array
