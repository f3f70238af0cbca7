#include "apps/cloud/hydrodynamics.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "apps/common/gas/fastest_signal.hpp"
#include "comm/collective_error.hpp"
#include "core/error.hpp"
#include "core/rank_progress.hpp"

namespace weir::cloud {
namespace {

constexpr std::array<char, axes> axis_names{'x', 'y', 'z'};

std::array<Variable, 5> variables_along(std::size_t axis) {
    std::array<Variable, 5> variables{};
    std::ranges::transform(gas::order_along(axis), variables.begin(), [](auto v) { return static_cast<Variable>(v); });
    return variables;
}

}  // namespace

AxisSweep::AxisSweep(Decomposition const& where, std::size_t axis)
    : where_(where),
      axis_(axis),
      inner_axis_(axis == 0 ? 1 : 0),
      outer_axis_(axis == 2 ? 1 : 2),
      stride_{1, where.cells()[0], where.cells()[0] * where.cells()[1]},
      variables_(variables_along(axis)),
      pencils_(where.cells()[axis]) {
    auto const n = where.cells()[axis];
    validate(n >= ghosts, fmt::format("a rank's block has {} cells along {}", n, axis_names[axis]),
             fmt::format("its neighbours need {} of them", ghosts), "Take fewer ranks along it, or more cells.");
    auto const outer = where.cells()[outer_axis_];
    parts_[0].end = parts_[1].begin = (outer + 1) / 2;
    parts_[1].end = outer;
    for (auto& part : parts_) {
        auto const pencils = (part.end - part.begin) * where.cells()[inner_axis_];
        for (auto* buffer : {&part.to_low, &part.to_high, &part.from_low, &part.from_high}) {
            buffer->resize(where.is_cut(axis) ? static_cast<std::size_t>(5 * ghosts * pencils) : 0);
        }
    }
}

std::optional<Cell> AxisSweep::run(State& state, double dt, Gas const& gas) {
    if (where_.is_cut(axis_)) {
        send(state, 0);
        send(state, 1);
    }
    std::optional<Cell> bad;
    for (auto& part : parts_) {
        part.exchange.finish();
        sweep_part(state, part, dt / where_.grid().spacing, gas, bad);
    }
    return bad;
}

Index AxisSweep::ghost_place(PencilRange const& part, std::size_t variable, Index layer, Index outer) const {
    auto const inner = where_.cells()[inner_axis_];
    auto const layers = static_cast<Index>(variable) * ghosts + layer;
    return (layers * (part.end - part.begin) + outer - part.begin) * inner;
}

void AxisSweep::send(State const& state, std::size_t which) {
    auto& part = parts_[which];
    auto const n = where_.cells()[axis_];
    auto const inner = where_.cells()[inner_axis_];
    auto const stride = stride_[inner_axis_];
    for (std::size_t v = 0; v < 5; ++v) {
        auto const* const field = state[variables_[v]].data();
        for (Index layer = 0; layer < ghosts; ++layer) {
            for (Index o = part.begin; o < part.end; ++o) {
                auto const* const low = field + o * stride_[outer_axis_] + layer * stride_[axis_];
                auto const* const high = low + (n - ghosts) * stride_[axis_];
                auto const place = ghost_place(part, v, layer, o);
                for (Index i = 0; i < inner; ++i) {
                    part.to_low[static_cast<std::size_t>(place + i)] = low[i * stride];
                    part.to_high[static_cast<std::size_t>(place + i)] = high[i * stride];
                }
            }
        }
    }
    // Separate tags for the two parts, different from those of the single layers.
    part.exchange.start(where_, axis_, static_cast<int>(axes + which),
                        {part.to_low, part.to_high, part.from_low, part.from_high});
}

void AxisSweep::sweep_part(State& state, PencilRange& part, double dt_over_dx, Gas const& gas,
                           std::optional<Cell>& bad) {
    auto const across = where_.cells()[inner_axis_];
    for (Index outer = part.begin; outer < part.end; ++outer) {
        note_step();
        for (Index inner = 0; inner < across; inner += lanes) {
            auto const width = std::min(lanes, across - inner);
            pencils_.used = width;
            load(state, part, outer, inner, width);
            sweep(pencils_, dt_over_dx, gas);
            if (!pencils_.sound && !bad) {
                bad = find_bad(outer, inner);
            }
            store(state, outer, inner, width);
        }
    }
}

void AxisSweep::load(State const& state, PencilRange const& part, Index outer, Index inner, Index width) {
    auto const across = stride_[inner_axis_];
    for (std::size_t v = 0; v < 5; ++v) {
        auto const* const from = state[variables_[v]].data() + outer * stride_[outer_axis_] + inner * across;
        gas::load_cells(pencils_.mean[v], from, where_.cells()[axis_], stride_[axis_], across, width);
        load_ghosts(part, outer, inner, width, v);
    }
}

void AxisSweep::load_ghosts(PencilRange const& part, Index outer, Index inner, Index width, std::size_t v) {
    auto const n = where_.cells()[axis_];
    auto* const to = pencils_.mean[v];
    if (!where_.is_cut(axis_)) {
        std::copy_n(to + (n - ghosts) * lanes, ghosts * lanes, to - ghosts * lanes);
        std::copy_n(to, ghosts * lanes, to + n * lanes);
        return;
    }
    for (Index layer = 0; layer < ghosts; ++layer) {
        auto const place = ghost_place(part, v, layer, outer) + inner;
        for (Index l = 0; l < lanes; ++l) {
            auto const from = static_cast<std::size_t>(place + std::min(l, width - 1));
            to[(layer - ghosts) * lanes + l] = part.from_low[from];
            to[(n + layer) * lanes + l] = part.from_high[from];
        }
    }
}

void AxisSweep::store(State& state, Index outer, Index inner, Index width) const {
    auto const across = stride_[inner_axis_];
    for (std::size_t v = 0; v < 5; ++v) {
        auto* const to = state[variables_[v]].data() + outer * stride_[outer_axis_] + inner * across;
        gas::store_cells(pencils_.mean[v], to, where_.cells()[axis_], stride_[axis_], across, width);
    }
}

Cell AxisSweep::find_bad(Index outer, Index inner) const {
    auto const [along, lane] = gas::first_unsound(pencils_);
    Cell cell = where_.start();
    cell[axis_] += along;
    cell[inner_axis_] += inner + lane;
    cell[outer_axis_] += outer;
    return cell;
}

namespace {

double fastest_signal(State const& state, double gamma) {
    return gas::fastest_signal(
        {state[Variable::density].data(), state[Variable::velocity_x].data(), state[Variable::velocity_y].data(),
         state[Variable::velocity_z].data(), state[Variable::pressure].data()},
        state.cells(), gamma);
}

Diagnosis not_positive(State const& state, Cell const& cell) {
    return {"the density or the pressure of a cell is no longer positive",
            fmt::format("cell ({}, {}, {}) counted from 0, at time {:.6g} in step {}", cell[0], cell[1], cell[2],
                        state.time, state.step + 1),
            "Give a smaller CFL number, a pressure floor, or more cells."};
}

}  // namespace

Hydrodynamics::Hydrodynamics(Decomposition const& where, Gas const& gas) : gas_(gas) {
    for (std::size_t axis = 0; axis < axes; ++axis) {
        sweeps_.emplace_back(where, axis);
    }
}

double Hydrodynamics::time_step(State const& state) const {
    auto const& where = state.where();
    auto const speed = where.comm().max(fastest_signal(state, gas_.gamma));
    return gas_.cfl * where.grid().spacing / speed;
}

void Hydrodynamics::advance(State& state, double dt, SweepOrder order) {
    std::optional<Diagnosis> failure;
    for (std::size_t turn = 0; turn < axes; ++turn) {
        auto const axis = order == SweepOrder::xyz ? turn : axes - 1 - turn;
        // A rank whose gas has failed continues, since its neighbours wait for its faces.
        auto const bad = sweeps_[axis].run(state, dt, gas_);
        if (bad && !failure) {
            failure = not_positive(state, *bad);
        }
    }
    agree(state.where().comm(), failure);
}

Raised Hydrodynamics::raised() const {
    Raised total;
    for (auto const& s : sweeps_) {
        total.add(s.pencils().raised);
    }
    return total;
}

}  // namespace weir::cloud
