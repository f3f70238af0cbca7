#include "apps/aquifer/model/known_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "apps/aquifer/model/exact.hpp"
#include "core/enum_names.hpp"
#include "core/error.hpp"

namespace weir::aquifer {
namespace {

constexpr double rain = 0.3;  ///< of the saturated conductivity

double extent_along(Box const& box, std::size_t axis) { return static_cast<double>(box.cells[axis]) * box.edges[axis]; }

double centre_along(Box const& box, std::size_t axis, Index cell) {
    return (static_cast<double>(cell) + 0.5) * box.edges[axis];
}

/// Closed, of one soil, with neither well nor source, and full of water.
Scenario confined(Box const& box) {
    auto made = usual_scenario(box, 1, Retention::van_genuchten);
    made.west = made.east = 2 * extent_along(box, 2);
    made.driest = -1;
    made.flow.sides = {};
    made.well_rate = 0;
    auto& tracer = made.species.front();
    tracer.retardation = 1;
    tracer.decay = 0;
    return made;
}

/// The heads of a well in a plane do not reach the sides soon.
Scenario theis(Box const& box) {
    auto made = confined(box);
    auto& soil = made.flow.soils.front();
    soil.specific_storage = 1e-4;
    constexpr double scale = 0.02;  // of the drawdown, Q / (4 pi T), in heights of the box
    made.well_rate = -4 * std::numbers::pi * scale * made.conductivity * extent_along(box, 2) * extent_along(box, 2);
    return made;
}

Scenario ogata_banks(Box const& box) {
    auto made = confined(box);
    constexpr double slope = 0.01;
    made.west = made.east + slope * extent_along(box, 0);
    made.flow.sides[0] = {BoxSide::Condition::head, made.west};
    made.flow.sides[1] = {BoxSide::Condition::head, made.east};
    made.species.front().dispersivity = 0.05 * extent_along(box, 0);
    made.species.front().at_sides[0] = 1;
    return made;
}

Scenario infiltration(Box const& box) {
    auto made = confined(box);
    made.west = made.east = 0;  // the water table is the bottom
    made.driest = -1e4;
    auto& soil = made.flow.soils.front();
    soil.retention = Retention::exponential;
    soil.alpha = 4 / extent_along(box, 2);
    soil.specific_storage = 0;
    made.flow.mean = FaceMean::arithmetic;
    made.flow.sides[4] = {BoxSide::Condition::pressure, 0};
    made.flow.sides[5] = {BoxSide::Condition::inflow, rain * made.conductivity};
    return made;
}

/// Sums up what differs.
class Differences {
  public:
    void add(double difference) {
        sum_ += std::abs(difference);
        largest_ = std::max(largest_, std::abs(difference));
        ++count_;
    }

    [[nodiscard]] std::optional<SolutionErrors> of_all(SolutionErrors what, Communicator const& comm) const {
        what.cells = comm.sum(count_);
        what.largest_error = comm.max(largest_);
        if (what.cells == 0) {
            return {};
        }
        what.mean_error = ordered_sum(comm) / static_cast<double>(what.cells);
        return what;
    }

  private:
    /// In units in which no order of the ranks changes the sum.
    [[nodiscard]] double ordered_sum(Communicator const& comm) const {
        auto const most = comm.max(sum_);
        if (most == 0) {
            return 0;
        }
        constexpr double units = 0x1p40;
        return static_cast<double>(comm.sum(static_cast<std::uint64_t>(std::llround(sum_ / most * units)))) / units *
               most;
    }

    double sum_ = 0;
    double largest_ = 0;
    std::uint64_t count_ = 0;
};

std::optional<SolutionErrors> with_theis(Scenario const& s, Block const& block, KnownState const& now,
                                         Communicator const& comm) {
    if (s.flow.wells.empty() || now.time <= 0) {
        return {};
    }
    auto const& box = s.box;
    auto const height = extent_along(box, 2);
    Pumping const well{.rate = -s.well_rate,
                       .transmissivity = s.conductivity * height,
                       .storage = s.flow.soils.front().specific_storage * height};
    auto const& at = s.flow.wells.front().cell;
    std::array<double, 2> const place{centre_along(box, 0, at[0]), centre_along(box, 1, at[1])};
    auto nearest_side = std::numeric_limits<double>::infinity();
    for (std::size_t a = 0; a < place.size(); ++a) {
        nearest_side = std::min({nearest_side, place[a], extent_along(box, a) - place[a]});
    }
    constexpr double nothing = 1e-3;  // of the drawdown at the cells that are nearest to the well
    auto const first = 4 * std::max(box.edges[0], box.edges[1]);
    if (drawdown(well, nearest_side, now.time) > nothing * drawdown(well, first, now.time)) {
        return {};
    }
    Differences found;
    for (std::size_t own = 0; own < block.count(); ++own) {
        auto const cell = block.cell(own);
        auto const r = std::hypot(centre_along(box, 0, cell[0]) - place[0], centre_along(box, 1, cell[1]) - place[1]);
        if (r >= first) {
            found.add(s.start_head(cell) - now.heads[own] - drawdown(well, r, now.time));
        }
    }
    return found.of_all({"Theis (1935): drawdown", "m"}, comm);
}

std::optional<SolutionErrors> with_ogata_banks(Scenario const& s, Block const& block, KnownState const& now,
                                               Communicator const& comm) {
    auto const& one = s.species.front();
    auto const in_pores = s.conductivity * (s.west - s.east) / extent_along(s.box, 0) / s.flow.soils.front().porosity;
    Front const front{.velocity = in_pores / one.retardation,
                      .dispersion = (one.diffusion + one.dispersivity * in_pores) / one.retardation,
                      .decay = one.decay};
    Differences found;
    for (std::size_t own = 0; own < block.count(); ++own) {
        found.add(now.concentrations[own] - concentration(front, centre_along(s.box, 0, block.cell(own)[0]), now.time));
    }
    return found.of_all({"Ogata, Banks (1961): concentration", "M"}, comm);
}

std::optional<SolutionErrors> with_gardner(Scenario const& s, Block const& block, KnownState const& now,
                                           Communicator const& comm) {
    auto const alpha = s.flow.soils.front().alpha;
    Differences found;
    for (std::size_t own = 0; own < block.count(); ++own) {
        auto const z = centre_along(s.box, 2, block.cell(own)[2]);
        found.add(now.heads[own] - std::log(rain + (1 - rain) * std::exp(-alpha * z)) / alpha);
    }
    return found.of_all({"Gardner (1958): pressure head of the steady state", "m"}, comm);
}

}  // namespace

Scenario scenario_of(KnownProblemKind kind, Box const& box, std::size_t species, Retention retention) {
    if (kind == KnownProblemKind::aquifer) {
        return usual_scenario(box, species, retention);
    }
    validate(species == 1, fmt::format("problem = {} has one species, not {}", to_text(kind), species),
             "its solution is known for the tracer alone", "Leave species out.");
    auto made = kind == KnownProblemKind::theis         ? theis(box)
                : kind == KnownProblemKind::ogata_banks ? ogata_banks(box)
                                                        : infiltration(box);
    validate_scenario(made);
    return made;
}

std::optional<SolutionErrors> compared(KnownProblemKind kind, Scenario const& scenario, Block const& block,
                                       KnownState const& state, Communicator const& comm) {
    switch (kind) {
        case KnownProblemKind::theis:
            return with_theis(scenario, block, state, comm);
        case KnownProblemKind::ogata_banks:
            return with_ogata_banks(scenario, block, state, comm);
        case KnownProblemKind::infiltration:
            return with_gardner(scenario, block, state, comm);
        case KnownProblemKind::aquifer:
            break;
    }
    return {};
}

}  // namespace weir::aquifer
