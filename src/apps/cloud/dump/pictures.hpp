#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>

#include "apps/cloud/dump/layout.hpp"
#include "apps/cloud/state.hpp"

namespace weir::cloud {

/// What a picture's shades stand for.
struct Range {
    double least = std::numeric_limits<double>::infinity();
    double greatest = -std::numeric_limits<double>::infinity();

    /// Values that are no numbers are in no range.
    void add(Range const& other);
};

/// Of log rho, p, |u| and phi.
struct Ranges : std::array<Range, enum_names(Picture{}).size()> {
    void add(Ranges const&);
};

/// The ranges over all ranks. Collective.
Ranges ranges_of(State const&);

/// One byte a cell of this rank's block, from 0 at the least value to 255 at the greatest, rounded to the nearest; 0
/// where both are the same, and where there is no logarithm. Independent of the ranks. Local.
void paint(State const&, Picture, Range const&, std::span<std::uint8_t> cells);

}  // namespace weir::cloud
