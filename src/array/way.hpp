#pragma once

#include <cstdint>

#include "array/plan_options.hpp"

namespace weir::array {

/// How one direction of a plan works.
struct Way {
    Method method = Method::two_phase;  ///< never automatic
    std::uint64_t aggregators = 1;      ///< of all ranks

    bool operator==(Way const&) const = default;
};

/// What both directions of a plan have in common.
struct Sizes {
    std::uint64_t window = 1;  ///< bytes that an aggregator writes at once
    std::uint64_t group = 1;   ///< ranks, for Method::grouped
    bool messages = false;     ///< are all bytes sent, also within a node?
};

}  // namespace weir::array
