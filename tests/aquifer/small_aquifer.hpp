#pragma once

#include <cmath>
#include <random>

#include "apps/aquifer/model/scenario.hpp"

namespace weir::aquifer {

/// Ground whose conductivity is log-normal around the scenario's, each cell by itself and the same on any number of
/// ranks; sigma is the standard deviation of its logarithm.
inline Ground random_ground(Scenario const& scenario, Block const& block, double sigma = 1) {
    Ground ground{{}, std::vector<std::size_t>(block.count(), 0)};
    auto const& n = scenario.box.cells;
    for (Index k = 0; k < block.cells[2]; ++k) {
        for (Index j = 0; j < block.cells[1]; ++j) {
            for (Index i = 0; i < block.cells[0]; ++i) {
                auto const id = block.start[0] + i + n[0] * (block.start[1] + j + n[1] * (block.start[2] + k));
                std::mt19937 random(static_cast<std::mt19937::result_type>(id));
                ground.conductivity.push_back(scenario.conductivity *
                                              std::exp(sigma * std::normal_distribution<double>()(random)));
            }
        }
    }
    return ground;
}

/// The usual scenario in cells of 10 m x 10 m x 1 m, with a well of full height and a source.
inline Scenario small_aquifer(Triple const& cells, std::size_t species = 1,
                              Retention retention = Retention::van_genuchten) {
    auto scenario = usual_scenario({cells, {10, 10, 1}}, species, retention);
    std::vector<Triple> well;
    for (Index k = 0; k < cells[2]; ++k) {
        well.push_back({2 * cells[0] / 3, cells[1] / 2, k});
    }
    scenario.put_well(well);
    scenario.source = {{cells[0] / 3, cells[1] / 2, 0}, {cells[0] / 3, cells[1] / 2, 1}};
    return scenario;
}

}  // namespace weir::aquifer
