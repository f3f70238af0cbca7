#include "apps/aquifer/model/analytic_model.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.hpp"

namespace weir::aquifer {
namespace {

double length(Box const& box, std::size_t axis) { return static_cast<double>(box.cells[axis]) * box.edges[axis]; }

double centre(Box const& box, std::size_t axis, Index cell) {
    return (static_cast<double>(cell) + 0.5) * box.edges[axis];
}

/// What all wells together take, and their mean place, each counted as much as it takes.
std::pair<double, std::array<double, 2>> joined(Scenario const& scenario) {
    double rate = 0;
    double weight = 0;
    std::array<double, 2> at{};
    for (auto const& well : scenario.flow.wells) {
        rate -= well.rate;
        weight += std::abs(well.rate);
        for (std::size_t a = 0; a < at.size(); ++a) {
            at[a] += std::abs(well.rate) * centre(scenario.box, a, well.cell[a]);
        }
    }
    for (auto& coordinate : at) {
        coordinate /= weight > 0 ? weight : 1;
    }
    return {rate, at};
}

}  // namespace

AnalyticModel::AnalyticModel(Scenario const& scenario, Block const& block, double busy_s_per_cell,
                             std::unique_ptr<Clock> clock)
    : scenario_(scenario),
      block_(block),
      busy_s_(busy_s_per_cell * static_cast<double>(block.count())),
      clock_(std::move(clock)),
      weights_(chain_weights(scenario_.species)),
      heads_(block.count()),
      saturation_(block.count(), 1),
      concentrations_(scenario.species.size(), std::vector<double>(block.count())) {
    auto const& first = scenario_.species.front();
    validate(first.diffusion > 0 || (first.dispersivity > 0 && slope() != 0),
             "there is no formula for the first species", "it does not spread", "Give it a diffusion.");
    auto const height = length(scenario_.box, 2);
    auto const [rate, at] = joined(scenario_);
    auto const& soil = scenario_.flow.soils.front();
    constexpr double least_storage = 1e-9;  // 1/m; the formula has none for none
    well_ = {.rate = rate,
             .transmissivity = scenario_.conductivity * height,
             .storage = std::max(soil.specific_storage, least_storage) * height};
    well_at_ = at;
    velocity_.fill(std::vector<double>(block.count()));
    evaluate();
}

void AnalyticModel::advance(double seconds) {
    auto const begin_s = clock_->now_s();
    time_ += seconds;
    evaluate();
    ++figures_.steps;
    if (auto const rest_s = begin_s + busy_s_ - clock_->now_s(); rest_s > 0) {
        clock_->compute(Seconds{rest_s});
    }
}

/// Fall of the head from west to east per metre, without the well.
double AnalyticModel::slope() const { return (scenario_.west - scenario_.east) / length(scenario_.box, 0); }

/// Sets each column of cells to value(i, j), counted in the whole box.
template <class Value>
void AnalyticModel::fill_columns(std::vector<double>& field, Value value) const {
    auto const& n = block_.cells;
    for (Index j = 0; j < n[1]; ++j) {
        for (Index i = 0; i < n[0]; ++i) {
            auto const of_column = value(block_.start[0] + i, block_.start[1] + j);
            for (Index k = 0; k < n[2]; ++k) {
                field[static_cast<std::size_t>(i + n[0] * (j + n[1] * k))] = of_column;
            }
        }
    }
}

void AnalyticModel::evaluate() {
    evaluate_heads();
    evaluate_species();
}

/// Within a fifth of an edge of the well, the head of a cell that has one is that at this distance (Peaceman 1978).
void AnalyticModel::evaluate_heads() {
    auto const& box = scenario_.box;
    auto const nearest = 0.2 * std::min(box.edges[0], box.edges[1]);
    auto const k = scenario_.conductivity;
    struct FromWell {
        double x, y, distance;
    };
    auto const from_well = [&](Index i, Index j) {
        auto const x = centre(box, 0, i) - well_at_[0];
        auto const y = centre(box, 1, j) - well_at_[1];
        return FromWell{x, y, std::max(nearest, std::hypot(x, y))};
    };
    fill_columns(heads_, [&](Index i, Index j) {
        return scenario_.west - slope() * centre(box, 0, i) - drawdown(well_, from_well(i, j).distance, time_);
    });
    std::size_t own = 0;
    auto const plane = static_cast<std::size_t>(block_.cells[0] * block_.cells[1]);
    for (auto& head : heads_) {
        head -= centre(box, 2, block_.start[2] + static_cast<Index>(own++ / plane));
    }
    fill_columns(velocity_[0], [&](Index i, Index j) {
        auto const at = from_well(i, j);
        return k * (slope() + drawdown_per_metre(well_, at.distance, time_) * at.x / at.distance);
    });
    fill_columns(velocity_[1], [&](Index i, Index j) {
        auto const at = from_well(i, j);
        return k * drawdown_per_metre(well_, at.distance, time_) * at.y / at.distance;
    });
}

void AnalyticModel::evaluate_species() {
    auto const& box = scenario_.box;
    auto const in_pores = std::abs(slope()) * scenario_.conductivity / scenario_.flow.soils.front().porosity;
    auto const upstream = slope() >= 0 ? 0.0 : length(box, 0);
    auto const columns = static_cast<std::size_t>(block_.cells[0]);
    std::vector<std::vector<double>> fronts;  // of each rate of decay, along x
    for (std::size_t i = 0; i < weights_.size(); ++i) {
        auto const& one = scenario_.species[i];
        Front const front{.velocity = in_pores / one.retardation,
                          .dispersion = (one.diffusion + one.dispersivity * in_pores) / one.retardation,
                          .decay = one.decay};
        auto& along = fronts.emplace_back(columns);
        for (std::size_t x = 0; x < columns; ++x) {
            auto const at = centre(box, 0, block_.start[0] + static_cast<Index>(x));
            along[x] = concentration(front, std::abs(at - upstream), time_);
        }
        std::vector<double> here(columns);
        for (std::size_t x = 0; x < columns; ++x) {
            for (std::size_t j = 0; j <= i; ++j) {
                here[x] += weights_[i][j] * fronts[j][x];
            }
            here[x] = std::max(here[x], 0.0);  // rounding
        }
        for (std::size_t own = 0; own < concentrations_[i].size(); ++own) {
            concentrations_[i][own] = here[own % columns];
        }
    }
}

}  // namespace weir::aquifer
