#pragma once

#include <span>
#include <vector>

#include "apps/aquifer/model/species.hpp"

namespace weir::aquifer {

// Exact solutions. All are local and pure.

/// exp(x^2) erfc(x) for x >= 0, also where the first factor would overflow.
double scaled_erfc(double x);

/// Confined and endless ground of one conductivity, in which a well pumps from time 0 on.
struct Pumping {
    double rate = 0;            ///< out of the ground, m^3/s
    double transmissivity = 1;  ///< m^2/s
    double storage = 1;         ///< of the whole height, without a unit
};

/// Theis (1935): by how much the head at this distance (m, above 0) from the well is lower after this time (s), m.
double drawdown(Pumping const&, double distance, double time);

/// By how much it grows with the distance, which is negative.
double drawdown_per_metre(Pumping const&, double distance, double time);

/// A species in water that flows steadily along x, in a half-space whose side is at concentration 1 from time 0 on.
struct Front {
    double velocity = 0;    ///< of the species, at least 0, m/s
    double dispersion = 1;  ///< above 0, m^2/s
    double decay = 0;       ///< 1/s
};

/// Ogata and Banks (1961), with decay as van Genuchten and Alves (1982, case C1 without production): the concentration
/// at this distance from the side, m, after this time, s.
double concentration(Front const&, double distance, double time);

/// How each species of a decay chain, the first of which enters, adds up from fronts that decay at the rates of the
/// first species, the second, and so on: row by row, a row for each species (Bateman 1910; Sun et al. 1999). They must
/// be equally retarded and spread; Error (usage) if not, or if two of them decay equally fast.
std::vector<std::vector<double>> chain_weights(std::span<Species const> chain);

}  // namespace weir::aquifer
