#include "apps/aquifer/flow/flow_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "apps/aquifer/model/flow_module.hpp"
#include "comm/collective_error.hpp"
#include "core/error.hpp"
#include "core/interrupt.hpp"

namespace weir::aquifer {
namespace {

/// value(cell) of each of this rank's cells, counted in the whole box.
template <class Value>
std::vector<double> of_cells(Block const& block, Value value) {
    std::vector<double> values;
    values.reserve(block.count());
    for (Index k = 0; k < block.cells[2]; ++k) {
        for (Index j = 0; j < block.cells[1]; ++j) {
            for (Index i = 0; i < block.cells[0]; ++i) {
                values.push_back(value(Triple{block.start[0] + i, block.start[1] + j, block.start[2] + k}));
            }
        }
    }
    return values;
}

std::vector<double> start_heads(Scenario const& scenario, Block const& block) {
    return of_cells(block, [&](Triple const& cell) { return scenario.start_head(cell); });
}

/// Half of what flows through the two faces of each cell across an axis, by their area.
void mean_velocity(Mesh const& mesh, std::size_t axis, std::span<double const> flow, std::vector<double>& velocity) {
    auto const half = 0.5 / mesh.box().face_area(axis);
    velocity.assign(mesh.block().count(), 0);
    auto through = flow.begin();
    each_face_across(mesh.box(), mesh.block(), axis, [&](Face const& face) {
        auto const share = half * *through++;
        for (auto const own : {face.own_low, face.own_high}) {
            if (own != no_cell) {
                velocity[own] += share;
            }
        }
    });
}

void keep_worst(std::optional<double>& worst, double error) { worst = std::max(worst.value_or(0), error); }

[[maybe_unused]] bool const offered = [] {
    offer_flow([](Communicator const& comm, Scenario const& scenario, Ground const& own_cells) {
        return std::unique_ptr<Model>(std::make_unique<FlowModel>(comm, scenario, own_cells));
    });
    return true;
}();

}  // namespace

FlowModel::FlowModel(Communicator const& comm, Scenario const& scenario, Ground const& own_cells)
    : mesh_(comm, scenario.box),
      richards_(mesh_, scenario.flow, own_cells, start_heads(scenario, mesh_.block())),
      transport_(mesh_, scenario.species, scenario.flow.wells),
      parts_(Index{1} << scenario.most_halvings),
      part_(parts_),
      water_(richards_.water()) {
    std::vector<double> first(mesh_.block().count());
    for (auto const& cell : scenario.source) {
        if (auto const own = mesh_.block().own(cell)) {
            first[*own] = 1;
        }
    }
    transport_.set(0, std::move(first));
    take_fields();
}

/// A step is halved where it does not converge, and doubled after each that does as soon as twice as long ones fit in.
void FlowModel::advance(double seconds) {
    expect(seconds > 0, "time goes on");
    auto const begin = time_;
    for (Index done = 0; done < parts_;) {
        if (done > 0 && any(mesh_.comm(), stop_requested.load(std::memory_order_relaxed))) {
            take_fields();
            throw Error({"interrupted", "a signal asked to stop", "Complete dumps are kept.", ExitCode::interrupted});
        }
        auto const dt = seconds * static_cast<double>(part_) / static_cast<double>(parts_);
        if (step(dt)) {
            done += part_;
            time_ = begin + seconds * static_cast<double>(done) / static_cast<double>(parts_);
            part_ *= part_ < parts_ && done % (2 * part_) == 0 ? 2 : 1;
            continue;
        }
        ++figures_.cuts;
        if (part_ == 1) {
            take_fields();
            throw Error(
                {fmt::format("the groundwater's flow does not converge at {:g} s", time_),
                 fmt::format("Newton's iterations fail with a step of {:g} s too, 1/{} of what was wanted", dt, parts_),
                 "Take shorter time steps, less water out of wells, or conductivities that differ less.",
                 ExitCode::cannot_run});
        }
        part_ /= 2;
    }
    take_fields();
}

bool FlowModel::step(double dt) {
    auto const done = richards_.step(dt);
    figures_.newton += static_cast<std::uint64_t>(done.newton);
    figures_.krylov += static_cast<std::uint64_t>(done.krylov);
    if (!done.converged) {
        return false;
    }
    auto const before = std::exchange(water_, richards_.water());
    figures_.krylov += static_cast<std::uint64_t>(transport_.step({dt, before, water_, richards_}));
    ++figures_.steps;
    keep_worst(figures_.worst_water_error, richards_.balance().error());
    for (std::size_t i = 0; i < transport_.count(); ++i) {
        keep_worst(figures_.worst_species_error, transport_.balance(i).error());
    }
    return true;
}

void FlowModel::take_fields() {
    heads_ = richards_.heads();
    saturation_ = richards_.saturation();
    for (std::size_t axis = 0; axis < axes; ++axis) {
        mean_velocity(mesh_, axis, richards_.flow(axis), velocity_[axis]);
    }
}

}  // namespace weir::aquifer
