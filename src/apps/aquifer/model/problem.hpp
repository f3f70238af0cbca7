#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "apps/aquifer/model/box.hpp"
#include "apps/aquifer/model/soil.hpp"

namespace weir::aquifer {

/// What a side of the box does.
struct BoxSide {
    enum class Condition {
        closed,
        head,      ///< `value` is the total head psi + z there, m
        pressure,  ///< the pressure head psi, m
        inflow     ///< the water that enters, m/s
    };
    Condition kind = Condition::closed;
    double value = 0;
};
constexpr std::array<std::string_view, 4> enum_names(BoxSide::Condition) {
    return {"closed", "head", "pressure", "inflow"};
}

/// Sides 2a and 2a + 1 are the low and the high one along axis a.
using Sides = std::array<BoxSide, 2 * axes>;

/// The relative conductivity of a face between two cells.
enum class FaceMean {
    arithmetic,  ///< second order
    upstream     ///< of the cell that the water comes from; first order, and never oscillates
};
constexpr std::array<std::string_view, 2> enum_names(FaceMean) { return {"arithmetic", "upstream"}; }

struct Well {
    Triple cell{};    ///< of the whole box
    double rate = 0;  ///< water into the soil, m^3/s; negative: out of it
};

/// The water into each of this rank's cells, m^3/s. Local.
std::vector<double> rates(Block const&, std::vector<Well> const&);

/// The flow's parameters that do not differ from cell to cell.
struct Flow {
    std::vector<Soil> soils;
    Sides sides{};
    std::vector<Well> wells{};
    FaceMean mean = FaceMean::upstream;
};

/// What differs, for this rank's cells, x fastest.
struct Ground {
    std::vector<double> conductivity;  ///< saturated, m/s
    std::vector<std::size_t> soil;     ///< index into Flow::soils
};

}  // namespace weir::aquifer
