#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>

#include "apps/cloud/dump/layout.hpp"
#include "apps/cloud/state.hpp"

namespace weir::cloud {

/// The values of a picture's darkest and brightest shade.
struct Range {
    double least = std::numeric_limits<double>::infinity();
    double greatest = -std::numeric_limits<double>::infinity();

    /// Values that are not finite are ignored.
    void add(Range const& other);
};

/// Of log rho, p, |u| and phi.
struct Ranges : std::array<Range, enum_names(Picture{}).size()> {
    void add(Ranges const&);
};

/// The ranges over all ranks. Collective.
Ranges ranges_of(State const&);

/// One byte per cell of this rank's block, from 0 at the minimum to 255 at the maximum, rounded to nearest; 0 if both
/// are equal, and where the logarithm is undefined. Independent of the ranks. Local.
void paint(State const&, Picture, Range const&, std::span<std::uint8_t> cells);

}  // namespace weir::cloud
