#include "apps/aquifer/model/scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/error.hpp"

namespace weir::aquifer {
namespace {

constexpr double day_s = 86400;

/// Where gravity alone draws as much water down as this fraction of the saturated conductivity: pressure head, m.
double drained_to(Soil const& soil, double fraction) {
    double dry = -1e4;
    double wet = 0;
    for (int halving = 0; halving < 60; ++halving) {
        auto const middle = 0.5 * (dry + wet);
        (soil.conductivity(middle).value < fraction ? dry : wet) = middle;
    }
    return dry;
}

std::vector<Species> chain_of(std::size_t count) {
    constexpr double half_life_s = 10 * day_s;  // of the first one; the second's is twice as long, and so on
    std::vector<Species> chain(count);
    for (std::size_t i = 0; i < count; ++i) {
        auto& one = chain[i];
        auto const number = i + 1;
        one.name = i == 0 ? "Tracer" : fmt::format("Tracer_{}", number);
        one.retardation = 1.25;
        one.decay = number < count ? std::numbers::ln2 / (half_life_s * static_cast<double>(number)) : 0;
        one.diffusion = 1e-9;
        one.dispersivity = 2;
    }
    return chain;
}

void check_cell(Box const& box, Triple const& cell, char const* what) {
    for (std::size_t a = 0; a < axes; ++a) {
        validate(cell[a] >= 0 && cell[a] < box.cells[a], fmt::format("a cell of the {} is outside the box", what),
                 fmt::format("along {} it is number {} of {}", "xyz"[a], cell[a] + 1, box.cells[a]),
                 "Name cells of the box.");
    }
}

void check_species(Species const& species) {
    validate(species.retardation >= 1 && species.decay >= 0 && species.diffusion >= 0 && species.dispersivity >= 0,
             fmt::format("'{}' is no species", species.name),
             fmt::format("its retardation of {:g} is at least 1, its decay of {:g} 1/s, diffusion of {:g} m^2/s and "
                         "dispersivity of {:g} m at least 0",
                         species.retardation, species.decay, species.diffusion, species.dispersivity),
             "Give for example 1, 0, 1e-9 and 2.");
}

}  // namespace

double Scenario::start_head(Triple const& cell) const {
    auto const along = (static_cast<double>(cell[0]) + 0.5) / static_cast<double>(box.cells[0]);
    auto const z = (static_cast<double>(cell[2]) + 0.5) * box.edges[2];
    return std::max(west + (east - west) * along - z, driest);
}

void Scenario::put_well(std::vector<Triple> const& cells) {
    std::vector<Triple> wet;
    for (auto const& cell : cells) {
        check_cell(box, cell, "well");
        if (start_head(cell) >= 0) {
            wet.push_back(cell);
        }
    }
    validate(!wet.empty(), "the well is dry", "none of its cells is below the water table at the start",
             "Give the well deeper cells.");
    flow.wells.clear();
    for (auto const& cell : wet) {
        flow.wells.push_back({cell, well_rate / static_cast<double>(wet.size())});
    }
}

Scenario usual_scenario(Box const& box, std::size_t species, Retention retention) {
    validate(species > 0, "there is no species", "the first one is the tracer", "Take at least 1.");
    constexpr double rain = 1e-8;  // m/s, 315 mm in a year
    constexpr Soil sand{.residual = 0.05, .porosity = 0.3, .alpha = 1, .n = 2, .specific_storage = 1e-5};
    Scenario made;
    made.box = box;
    auto const height = static_cast<double>(box.cells[2]) * box.edges[2];
    auto const length = static_cast<double>(box.cells[0]) * box.edges[0];
    auto const width = static_cast<double>(box.cells[1]) * box.edges[1];
    made.west = 0.8 * height;
    made.east = 0.55 * height;
    auto soil = sand;
    soil.retention = retention;
    made.driest = drained_to(soil, rain / made.conductivity);
    made.flow.soils = {soil};
    made.flow.sides[0] = {BoxSide::Condition::head, made.west};
    made.flow.sides[1] = {BoxSide::Condition::head, made.east};
    made.flow.sides[5] = {BoxSide::Condition::inflow, rain};
    made.species = chain_of(species);
    constexpr double pumped = 0.3;  // of the flow from west to east
    made.well_rate =
        -pumped * made.conductivity * (made.west - made.east) / length * width * 0.5 * (made.west + made.east);
    validate_scenario(made);
    return made;
}

void validate_scenario(Scenario const& scenario) {
    auto const& box = scenario.box;
    for (std::size_t a = 0; a < axes; ++a) {
        validate(box.cells[a] > 0 && box.edges[a] > 0 && std::isfinite(box.edges[a]),
                 fmt::format("there is no box of {} cells", to_text(box.cells)),
                 fmt::format("along {} there are {} of {:g} m", "xyz"[a], box.cells[a], box.edges[a]),
                 "Give at least one cell along each axis, and positive edges.");
    }
    validate(scenario.conductivity > 0 && std::isfinite(scenario.conductivity),
             fmt::format("a conductivity of {:g} m/s is no soil's", scenario.conductivity), "it is positive",
             "Give for example 1e-4.");
    validate(!scenario.flow.soils.empty(), "there is no soil", "each cell has one", "Give at least one.");
    std::ranges::for_each(scenario.flow.soils, validate_soil);
    validate(!scenario.species.empty(), "there is no species", "the first one is the tracer", "Take at least 1.");
    std::ranges::for_each(scenario.species, check_species);
    for (auto const& well : scenario.flow.wells) {
        check_cell(box, well.cell, "well");
    }
    for (auto const& cell : scenario.source) {
        check_cell(box, cell, "source");
    }
    constexpr std::size_t most = 30;
    validate(scenario.most_halvings <= most, fmt::format("{} halvings are too many", scenario.most_halvings),
             fmt::format("a time step is halved {} times at most", most), "Take for example 10.");
}

}  // namespace weir::aquifer
