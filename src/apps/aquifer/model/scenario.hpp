#pragma once

#include <cstddef>
#include <vector>

#include "apps/aquifer/model/problem.hpp"
#include "apps/aquifer/model/species.hpp"

namespace weir::aquifer {

/// A groundwater problem, as far as it is the same on all ranks. Its members are local and pure.
struct Scenario {
    Box box;
    double conductivity = 1e-4;  ///< geometric mean of the saturated ones, m/s
    double west = 0;             ///< total head at the start at the low side along x, m
    double east = 0;             ///< the same at the high side; between them it is linear
    double driest = -1;          ///< least pressure head at the start, m
    Flow flow;
    std::vector<Species> species;
    double well_rate = 0;            ///< of put_well(), m^3/s; negative: out of the soil
    std::vector<Triple> source;      ///< cells where the first species has 1 M at the start; it is not held there
    std::size_t most_halvings = 10;  ///< of a time step that does not converge

    /// Pressure head at a cell's centre at the start, m: hydrostatic, but not drier than `driest`.
    [[nodiscard]] double start_head(Triple const& cell) const;

    /// Replaces the wells by one through these cells: those below the water table at the start share its rate evenly.
    /// Error (usage) if none is, or one is outside the box.
    void put_well(std::vector<Triple> const& cells);
};

/// A variably saturated aquifer: a head difference from west to east with a water table inside the box, rain on its
/// top, the other sides closed, water at rest in vertical direction at the start, and dry soil above it as the rain
/// leaves it. The well's rate is a fraction of the flow through the box. Species are named "Tracer", "Tracer_2" and so
/// on; of several, each decays to the next one, the last is stable. Neither wells nor source. Error (usage) without a
/// species or cells.
Scenario usual_scenario(Box const&, std::size_t species, Retention);

/// Error (usage) if some part is none: soils, species, cells outside the box.
void validate_scenario(Scenario const&);

}  // namespace weir::aquifer
