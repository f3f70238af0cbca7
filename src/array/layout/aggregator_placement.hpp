#pragma once

#include <cstdint>
#include <vector>

#include "array/layout/file_domain.hpp"
#include "array/layout/region.hpp"
#include "array/layout/share.hpp"

namespace weir::array {

/// How a region is divided among its aggregators.
struct Aggregation {
    std::vector<std::uint64_t> aggregators{};  ///< their ranks in the group, in the order of their domains
    std::uint64_t align = 1;                   ///< domain boundaries are multiples of it, less the phase
    std::uint64_t window = 1;                  ///< bytes of a slot
    std::uint64_t phase = 0;
};

/// An aggregator that moves bytes of a rank.
struct Partner {
    std::uint64_t rank = 0;  ///< in the group
    FileDomain domain;
};

/// The file domain of aggregator `index`. Pure, as are the others here.
FileDomain file_domain(Region const&, Aggregation const&, std::uint64_t index);

/// The aggregators that a rank with this share of the region exchanges with, in their order.
std::vector<Partner> partners(Region const&, Share const&, Aggregation const&);

/// The ranks of a group that become aggregators: `count` of them, spread over the nodes as evenly as possible, in rank
/// order. `node` holds each rank's node. Pure.
std::vector<std::uint64_t> place_aggregators(std::vector<std::uint64_t> const& node, std::uint64_t count);

}  // namespace weir::array
