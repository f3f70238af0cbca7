#include "apps/cloud/poisson_multigrid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/cloud/whole_grid.hpp"
#include "apps/common/gas/ordered_sum.hpp"
#include "core/error.hpp"

namespace weir::cloud {
namespace {

constexpr double omega = 1.15;
constexpr Index sweeps_before = 2;
constexpr Index sweeps_after = 2;

/// A grid with this few cells is solved directly: more levels cost more in messages than they save in cells.
constexpr Index cells_of_coarsest = 512;

void subtract(std::span<double> values, double what) {
    for (auto& x : values) {
        x -= what;
    }
}

}  // namespace

Multigrid::Passage::Passage(Decomposition const& w, bool all)
    : where(w),
      block(static_cast<std::size_t>(volume(w.cells()))),
      whole(w.cells()),
      halo(w, w.cells()),
      gathered(all) {}

Multigrid::GridLevel::GridLevel(Passage passage)
    : up(std::move(passage)), phi(up.where.cells()), rhs(up.where.cells()), halo(up.where, phi.red.cells()) {}

Multigrid::Coarsest::Coarsest(Passage passage) : up(std::move(passage)), solver(up.where.grid()) {}

Multigrid::Multigrid(Decomposition const& where) : count_(static_cast<double>(volume(where.grid().cells))) {
    auto const& n = where.cells();
    validate(all_even(n), fmt::format("a rank's block has {} x {} x {} cells", n[0], n[1], n[2]),
             "V-cycles need an even number along each direction", "Take other ranks, or another grid.");
    levels_.emplace_back(Passage(where, false));
    add_levels();
}

void Multigrid::add_levels() {
    while (!coarsest_) {
        auto const coarse = levels_.back().up.where.coarser();
        auto const& n = coarse.grid().cells;
        // Depends on the grid only: the decomposition must not affect results.
        auto const last = !all_even(n) || volume(n) <= cells_of_coarsest;
        auto const gathered = coarse.comm().size() > 1 && (last || !all_even(coarse.cells()));
        Passage passage(gathered ? Decomposition({}, coarse.grid()) : coarse, gathered);
        if (last) {
            coarsest_.emplace(std::move(passage));
        } else {
            levels_.emplace_back(std::move(passage));
        }
    }
}

double Multigrid::mean(std::span<double const> values) const {
    return ordered_sum(levels_.front().up.where.comm(), values, count_) / count_;
}

double Multigrid::squared_residual() {
    auto& finest = levels_.front();
    squared_residuals(finest.phi, finest.rhs, finest.up.block.data());
    return ordered_sum(finest.up.where.comm(), finest.up.block, count_);
}

Solution Multigrid::solve(std::span<double> phi, std::span<double const> source, Stop const& stop) {
    auto& finest = levels_.front();
    auto& rhs = finest.up.block;
    std::copy(source.begin(), source.end(), rhs.begin());
    // A periodic problem has a solution only if its right-hand side has mean 0. The rounding error of the first
    // subtraction would stall the residual; the second one removes it.
    subtract(rhs, mean(rhs));
    subtract(rhs, mean(rhs));
    auto const h = finest.up.where.grid().spacing;
    to_colours(rhs.data(), h * h, finest.rhs);
    to_colours(phi.data(), 1, finest.phi);
    for (auto& x : rhs) {
        x = x * h * h * (x * h * h);
    }
    auto const scale = ordered_sum(finest.up.where.comm(), rhs, count_);
    finest.halo.fill(finest.phi.black, GhostLayers::faces);
    Solution solution;
    solution.converged = stop.residual == 0 || scale == 0;
    while (solution.cycles < stop.cycles && (stop.residual == 0 || !solution.converged)) {
        cycle(0);
        ++solution.cycles;
        if (stop.residual > 0) {
            solution.residual = std::sqrt(squared_residual() / scale);
            solution.converged = solution.residual <= stop.residual;
        }
    }
    from_colours(finest.phi, phi.data());
    subtract(phi, mean(phi));
    return solution;
}

/// Requires black's ghosts filled, and leaves both colours' filled.
void Multigrid::sweep(GridLevel& level, Index times) {
    for (Index i = 0; i < times; ++i) {
        relax(level.phi, level.rhs, Colour::red, omega);
        level.halo.fill(level.phi.red, GhostLayers::faces);
        relax(level.phi, level.rhs, Colour::black, omega);
        level.halo.fill(level.phi.black, GhostLayers::faces);
    }
}

void Multigrid::cycle(std::size_t at) {
    auto& level = levels_[at];
    auto const last = at + 1 == levels_.size();
    auto& below = last ? coarsest_->up : levels_[at + 1].up;
    sweep(level, sweeps_before);
    go_down(level, below);
    if (last) {
        solve_coarsest();
    } else {
        solve_below(at + 1);
    }
    come_up(below, level);
    sweep(level, sweeps_after);
}

void Multigrid::go_down(GridLevel const& fine, Passage& coarse) {
    if (!coarse.gathered) {
        restrict_residuals(fine.phi, fine.rhs, coarse.block.data());
        return;
    }
    auto const where = fine.up.where.coarser();
    Doubles mine(static_cast<std::size_t>(volume(where.cells())));
    restrict_residuals(fine.phi, fine.rhs, mine.data());
    gather_grid(where, mine, coarse.block);
}

void Multigrid::solve_below(std::size_t at) {
    auto& level = levels_[at];
    to_colours(level.up.block.data(), 1, level.rhs);
    level.phi.red.clear();
    level.phi.black.clear();
    cycle(at);
    from_colours(level.phi, level.up.whole);
}

void Multigrid::solve_coarsest() {
    auto& [up, solver] = *coarsest_;
    solver.invert(up.block);
    auto const& n = up.where.cells();
    auto const* row = up.block.data();
    for (Index k = 0; k < n[2]; ++k) {
        for (Index j = 0; j < n[1]; ++j, row += n[0]) {
            std::copy_n(row, n[0], up.whole.row(j, k));
        }
    }
}

void Multigrid::come_up(Passage& coarse, GridLevel& fine) {
    coarse.halo.fill(coarse.whole, GhostLayers::corners);
    auto const& start = fine.up.where.start();
    auto const offset = coarse.gathered ? Triple{start[0] / 2, start[1] / 2, start[2] / 2} : Triple{0, 0, 0};
    add_interpolated(coarse.whole, offset, fine.phi);
    fine.halo.fill(fine.phi.black, GhostLayers::faces);
}

}  // namespace weir::cloud
