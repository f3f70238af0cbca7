#include "apps/flash/gas/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/common/gas/fastest_signal.hpp"
#include "apps/common/gas/ordered_sum.hpp"
#include "comm/collective_error.hpp"
#include "core/error.hpp"
#include "core/proc.hpp"

namespace weir::flash {

double finest_edge(SimulationSettings const& settings) {
    return 1 / static_cast<double>(settings.roots[0] * (settings.n << (settings.levels - 1)));
}

Corner domain_of(SimulationSettings const& settings) {
    Corner high{};
    for (std::size_t a = 0; a < axes; ++a) {
        high[a] = static_cast<double>(settings.roots[a]) / static_cast<double>(settings.roots[0]);
    }
    return high;
}

void validate_settings(SimulationSettings const& settings) {
    auto const most = deepest_level(settings.roots) + 1;
    validate(settings.levels >= 1 && settings.levels <= most, fmt::format("{} levels of blocks", settings.levels),
             fmt::format("this many root blocks can have 1 to {}", most), "Take as many as that at most.");
    validate(settings.adapt_every >= 1, fmt::format("the tree would be adapted every {} steps", settings.adapt_every),
             "it is adapted after a whole number of them", "Take for example 4.");
    validate(settings.gas.gamma > 1, fmt::format("gamma = {:g} is no gas's", settings.gas.gamma),
             "a ratio of specific heats is greater than 1", "Give for example 1.4.");
    auto const domain = domain_of(settings);
    for (std::size_t a = 0; a < axes && settings.problem == BlastKind::sedov; ++a) {
        auto const length = domain[a];
        auto const at = settings.blast.centre[a];
        validate(at >= 0 && at <= length, fmt::format("the blast's centre, {:g} along axis {}, is outside", at, a),
                 fmt::format("the domain ends at 0 and {:g}", length), "Move it into the domain.");
    }
}

namespace {

/// Parents are computed from leaves. Local.
void refuse_no_gas(Blocks const& blocks) {
    for (auto const b : blocks.leaves()) {
        for (std::size_t v = 0; v < variables; ++v) {
            auto const positive = v == density || v == pressure;
            auto const good = std::ranges::all_of(
                blocks.values(b, v), [&](double value) { return std::isfinite(value) && (!positive || value > 0); });
            validate(good, fmt::format("block {} of the restart holds no gas", b),
                     positive ? "its density or its pressure is not positive and finite" : "its velocity is not finite",
                     "The file is damaged: name another checkpoint.");
        }
    }
}

/// A node's share of all blocks. Collective.
double share_of_node(Communicator const& comm) {
    return static_cast<double>(comm.node().size()) / static_cast<double>(comm.size());
}

/// Error (cannot run) if a node's free memory is not enough for its share of so many blocks more, and for their copy
/// while they move. Collective.
void check_room(Communicator const& comm, double blocks, double share, Index n) {
    constexpr double copies = 2;
    auto const side = static_cast<double>(n);
    auto const needed = copies * blocks * share * side * side * side * variables * sizeof(double);
    auto const free = available_memory();
    run_together(comm, [&] {
        if (free && needed > static_cast<double>(free->value)) {
            throw Error({fmt::format("{:.0f} blocks do not fit into memory", blocks),
                         fmt::format("a node needs {:.0f} MiB for them, and {} MiB are free", needed / (1 << 20),
                                     free->value >> 20U),
                         "Take fewer levels or root blocks, smaller blocks, or more nodes.", ExitCode::cannot_run});
        }
    });
}

}  // namespace

BlockSimulation::BlockGrid::BlockGrid(Blocks all) : blocks(std::move(all)), parents(blocks), surroundings(blocks) {
    for (std::size_t axis = 0; axis < axes; ++axis) {
        sweeps.emplace_back(blocks, axis);
    }
}

BlockSimulation::BlockSimulation(Communicator const& comm, SimulationSettings const& settings, double time, double dt,
                                 Index step)
    : settings_(settings), share_of_node_(share_of_node(comm)), time_(time), dt_(dt), step_(step) {
    validate_settings(settings);
}

BlockSimulation BlockSimulation::start(Communicator const& comm, SimulationSettings const& settings) {
    BlockSimulation run(comm, settings, 0, 0, 0);
    run.refine_initial_state(comm);
    return run;
}

/// First where a blast's ball is, as coarse cells might miss it, then where errors are.
void BlockSimulation::refine_initial_state(Communicator const& comm) {
    auto const roots = [&](std::size_t axis) { return static_cast<double>(settings_.roots[axis]); };
    check_room(comm, roots(0) * roots(1) * roots(2), share_of_node_, settings_.n);
    Tree tree(settings_.roots, settings_.boundaries);
    auto const h = finest_edge(settings_);
    auto const is_blast = settings_.problem == BlastKind::sedov;
    for (int level = 1; is_blast && level < settings_.levels; ++level) {
        tree = tree.adapted(marks_around(settings_.blast, tree, h), settings_.levels);
    }
    for (;;) {
        check_room(comm, static_cast<double>(tree.size()), share_of_node_, settings_.n);
        Blocks blocks(comm, tree, settings_.n);
        if (is_blast) {
            fill_sedov(blocks, settings_.blast, h, settings_.gas.gamma);
        } else {
            fill_sod(blocks, settings_.tube);
        }
        grid_ = std::make_unique<BlockGrid>(std::move(blocks));
        grid_->parents.fill(grid_->blocks, settings_.gas.gamma);
        auto marks = marks_of(grid_->blocks, grid_->surroundings, settings_.gas.gamma);
        std::ranges::replace(marks, Mark::coarsen, Mark::keep);
        auto next = tree.adapted(marks, settings_.levels);
        if (next == tree) {
            return;
        }
        tree = std::move(next);
    }
}

BlockSimulation BlockSimulation::restore(Communicator const& comm, SimulationSettings const& settings, Tree tree,
                                         double time, double dt, Index step, SetBlock const& set) {
    BlockSimulation run(comm, settings, time, dt, step);
    validate(tree.roots() == settings.roots && tree.boundaries() == settings.boundaries,
             "the tree to continue from has other root blocks or boundaries", "they are those of the whole run",
             "Give the settings with which the run was begun.");
    validate(tree.levels() <= settings.levels,
             fmt::format("the tree to continue from has {} levels of blocks", tree.levels()),
             fmt::format("at most {} are allowed", settings.levels), "Allow as many as it has.");
    Blocks blocks(comm, std::move(tree), settings.n);
    for (auto b = blocks.first(); b < blocks.end(); ++b) {
        std::array<std::span<double>, variables> values;
        for (std::size_t v = 0; v < variables; ++v) {
            values[v] = blocks.values(b, v);
        }
        set(b, values);
    }
    run_together(comm, [&] { refuse_no_gas(blocks); });
    run.grid_ = std::make_unique<BlockGrid>(std::move(blocks));
    run.grid_->parents.fill(run.grid_->blocks, settings.gas.gamma);
    return run;
}

double BlockSimulation::time_step() const {
    auto const& blocks = grid_->blocks;
    double fastest = 0;
    for (auto const b : blocks.leaves()) {
        auto const at = [&](GasVariable v) { return blocks.values(b, v).data(); };
        auto const speed =
            gas::fastest_signal({at(density), at(velocity_x), at(velocity_y), at(velocity_z), at(pressure)},
                                blocks.n() * blocks.n() * blocks.n(), settings_.gas.gamma);
        fastest = std::max(fastest, speed / blocks.spacing(b));
    }
    return settings_.gas.cfl / blocks.comm().max(fastest);
}

void BlockSimulation::advance(std::optional<double> end) {
    auto const whole = time_step();
    dt_ = end ? std::min(whole, *end - time_) : whole;
    sweep(dt_);
    time_ = end && dt_ < whole ? *end : time_ + dt_;
    ++step_;
    if (step_ % settings_.adapt_every == 0) {
        adapt();
    }
}

/// Forth and back in turns makes a pair of steps second order in time (Strang 1968).
void BlockSimulation::sweep(double dt) {
    std::optional<BadCell> bad;
    for (std::size_t turn = 0; turn < axes; ++turn) {
        auto const axis = step_ % 2 == 0 ? turn : axes - 1 - turn;
        auto const found = grid_->sweeps[axis].run(grid_->blocks, dt, settings_.gas);
        bad = bad ? bad : found;
        grid_->parents.fill(grid_->blocks, settings_.gas.gamma);
    }
    run_together(grid_->blocks.comm(), [&] {
        if (bad) {
            throw Error({"the density or the pressure of a cell is no longer positive",
                         fmt::format("cell ({}, {}, {}) of block {}, both counted from 0, at time {:.6g} in step {}",
                                     bad->cell[0], bad->cell[1], bad->cell[2], bad->block, time_, step_ + 1),
                         "Give a smaller cfl, or more levels."});
        }
    });
}

LeafTotals BlockSimulation::outflow() const {
    Doubles mass;
    Doubles energy;
    for (auto const& sweep : grid_->sweeps) {
        for (auto const& leaf : sweep.left()) {
            mass.push_back(leaf.mass);
            energy.push_back(leaf.energy);
        }
    }
    auto const& comm = grid_->blocks.comm();
    auto const count = static_cast<double>(axes * tree().size());
    return {left_before_.mass + ordered_sum(comm, mass, count), left_before_.energy + ordered_sum(comm, energy, count)};
}

void BlockSimulation::adapt() {
    auto const gamma = settings_.gas.gamma;
    auto const marks = marks_of(grid_->blocks, grid_->surroundings, gamma);
    auto tree = this->tree().adapted(marks, settings_.levels);
    if (tree == this->tree()) {
        return;
    }
    check_room(grid_->blocks.comm(), static_cast<double>(tree.size()), share_of_node_, settings_.n);
    left_before_ = outflow();  // the leaves that counted it go
    grid_ = std::make_unique<BlockGrid>(moved_to(std::move(tree), grid_->blocks, grid_->surroundings, gamma));
    grid_->parents.fill(grid_->blocks, gamma);
}

}  // namespace weir::flash
