#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "apps/aquifer/model/analytic_model.hpp"
#include "apps/aquifer/model/flow_module.hpp"
#include "apps/aquifer/model/model.hpp"
#include "comm/collective_error.hpp"
#include "core/clock.hpp"

namespace weir::aquifer {
namespace {

/// The first cell counts, whichever rank has it: all ranks look for it together, and then its own speaks.
void check_ground(Communicator const& comm, Scenario const& scenario, Block const& block, Ground const& ground) {
    constexpr auto none = std::numeric_limits<std::uint64_t>::max();
    auto const soils = scenario.flow.soils.size();
    auto mine = none;
    std::size_t bad = 0;
    for (std::size_t own = 0; own < block.count() && mine == none; ++own) {
        auto const k = ground.conductivity[own];
        if (!(k > 0) || !std::isfinite(k) || ground.soil[own] >= soils) {
            mine = index_of(scenario.box.cells, block.cell(own)) + 1;
            bad = own;
        }
    }
    auto const first = none - comm.max(none - mine);
    run_together(comm, [&] {
        if (mine == none || mine != first) {
            return;
        }
        auto const k = ground.conductivity[bad];
        validate(k > 0 && std::isfinite(k), fmt::format("the ground of cell {} is no soil", first),
                 fmt::format("its saturated conductivity is {:g} m/s", k), "Give each cell a positive one.");
        validate(false, fmt::format("cell {} is of the material {}", first, ground.soil[bad] + 1),
                 fmt::format("the materials are 1 to {}", soils), "Give each cell one of these.");
    });
}

}  // namespace

std::unique_ptr<Model> make_model(Communicator const& comm, Scenario const& scenario, Ground const& own_cells,
                                  ModelOptions const& options) {
    validate_scenario(scenario);
    auto const block = block_of(scenario.box, ranks_for(scenario.box.cells, comm.size()), comm.rank());
    expect(own_cells.conductivity.size() == block.count() && own_cells.soil.size() == block.count(),
           "there is ground for each of this rank's cells");
    check_ground(comm, scenario, block, own_cells);
    if (options.choice != ModelChoice::analytic) {
        FlowMaker make_flow = nullptr;
        std::optional<Diagnosis> missing;
        keep_failure(missing, [&] { run_together(comm, [&] { make_flow = need_flow(); }); });
        if (!missing) {
            return make_flow(comm, scenario, own_cells);
        }
        if (options.choice == ModelChoice::flow) {
            throw Error(*missing);
        }
    }
    return std::make_unique<AnalyticModel>(scenario, block, options.busy_s_per_cell,
                                           std::make_unique<MonotonicClock>());
}

}  // namespace weir::aquifer
