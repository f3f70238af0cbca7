#include "apps/cloud/multigrid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/cloud/ordered_sum.hpp"
#include "core/error.hpp"

namespace weir::cloud {
namespace {

constexpr double omega = 1.15;
constexpr Index sweeps_before = 2;
constexpr Index sweeps_after = 2;

bool all_even(Triple const& n) { return n[0] % 2 == 0 && n[1] % 2 == 0 && n[2] % 2 == 0; }

/// Half of the cells again an even number along each axis? Colours alternate around a period only if it is even.
bool can_be_coarser(Triple const& n) { return n[0] % 4 == 0 && n[1] % 4 == 0 && n[2] % 4 == 0; }

/// Enough on the coarsest grid for its longest wave: Gauss-Seidel's error falls by about cos^2(2 pi / n) a sweep.
Index sweeps_of_coarsest(Triple const& n) {
    auto const longest = std::max({n[0], n[1], n[2]});
    return std::max<Index>(40, longest * longest / 2);
}

void subtract(std::span<double> values, double what) {
    for (auto& x : values) {
        x -= what;
    }
}

/// All blocks of a grid on every rank, x fastest.
void gather(Decomposition const& where, Doubles const& mine, Doubles& grid) {
    auto const& n = where.cells();
    auto const& ranks = where.ranks();
    auto const& all = where.grid().cells;
    auto const count = static_cast<std::size_t>(volume(n));
    Doubles blocks(count * where.comm().size());
    check_mpi(MPI_Allgather(mine.data(), static_cast<int>(count), MPI_DOUBLE, blocks.data(), static_cast<int>(count),
                            MPI_DOUBLE, where.comm().handle()),
              "a coarse grid cannot be gathered");
    auto const* row = blocks.data();
    for (Index r = 0; r < volume(ranks); ++r) {
        Triple const start{r % ranks[0] * n[0], r / ranks[0] % ranks[1] * n[1], r / ranks[0] / ranks[1] * n[2]};
        for (Index k = 0; k < n[2]; ++k) {
            for (Index j = 0; j < n[1]; ++j, row += n[0]) {
                std::copy_n(row, n[0], grid.data() + start[0] + all[0] * (start[1] + j + all[1] * (start[2] + k)));
            }
        }
    }
}

}  // namespace

Multigrid::Level::Level(Decomposition const& w)
    : where(w),
      phi(w.cells()),
      rhs(w.cells()),
      halo(w, phi.red.cells()),
      whole(w.cells()),
      whole_halo(w, w.cells()),
      block(static_cast<std::size_t>(volume(w.cells()))) {}

Multigrid::Multigrid(Decomposition const& where) : count_(static_cast<double>(volume(where.grid().cells))) {
    auto const& n = where.cells();
    validate(all_even(n), fmt::format("a rank's block has {} x {} x {} cells", n[0], n[1], n[2]),
             "the gravity solver needs an even number along each direction", "Take other ranks, or another grid.");
    levels_.emplace_back(where);
    add_levels();
}

void Multigrid::add_levels() {
    while (can_be_coarser(levels_.back().where.grid().cells)) {
        auto const& fine = levels_.back();
        auto const coarse = fine.where.coarser();
        auto const gathered = coarse.comm().size() > 1 && !all_even(coarse.cells());
        levels_.emplace_back(gathered ? Decomposition({}, coarse.grid()) : coarse);
        levels_.back().gathered = gathered;
    }
}

double Multigrid::mean(std::span<double const> values) const {
    return ordered_sum(levels_.front().where.comm(), values, count_) / count_;
}

double Multigrid::squared_residual() {
    auto& finest = levels_.front();
    squared_residuals(finest.phi, finest.rhs, finest.block.data());
    return ordered_sum(finest.where.comm(), finest.block, count_);
}

Solution Multigrid::solve(std::span<double> phi, std::span<double const> source, Stop const& stop) {
    auto& finest = levels_.front();
    auto& rhs = finest.block;
    std::copy(source.begin(), source.end(), rhs.begin());
    // A periodic problem has a solution only if its right-hand side has no mean. What rounding leaves of it after the
    // first subtraction would stall the residual; the second takes that as well.
    subtract(rhs, mean(rhs));
    subtract(rhs, mean(rhs));
    auto const h = finest.where.grid().spacing;
    to_colours(rhs.data(), h * h, finest.rhs);
    to_colours(phi.data(), 1, finest.phi);
    for (auto& x : rhs) {
        x = x * h * h * (x * h * h);
    }
    auto const scale = ordered_sum(finest.where.comm(), rhs, count_);
    finest.halo.fill(finest.phi.black, Reach::faces);
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

/// Needs black's ghosts filled, and leaves both colours' so.
void Multigrid::sweep(Level& level, Index times) {
    for (Index i = 0; i < times; ++i) {
        relax(level.phi, level.rhs, Colour::red, omega);
        level.halo.fill(level.phi.red, Reach::faces);
        relax(level.phi, level.rhs, Colour::black, omega);
        level.halo.fill(level.phi.black, Reach::faces);
    }
}

void Multigrid::cycle(std::size_t at) {
    auto& level = levels_[at];
    if (at + 1 == levels_.size()) {
        sweep(level, sweeps_of_coarsest(level.where.cells()));
        return;
    }
    auto& coarse = levels_[at + 1];
    sweep(level, sweeps_before);
    go_down(level, coarse);
    cycle(at + 1);
    come_up(coarse, level);
    sweep(level, sweeps_after);
}

void Multigrid::go_down(Level& fine, Level& coarse) {
    if (coarse.gathered) {
        auto const where = fine.where.coarser();
        Doubles mine(static_cast<std::size_t>(volume(where.cells())));
        restrict_residuals(fine.phi, fine.rhs, mine.data());
        gather(where, mine, coarse.block);
    } else {
        restrict_residuals(fine.phi, fine.rhs, coarse.block.data());
    }
    to_colours(coarse.block.data(), 1, coarse.rhs);
    coarse.phi.red.clear();
    coarse.phi.black.clear();
}

void Multigrid::come_up(Level& coarse, Level& fine) {
    from_colours(coarse.phi, coarse.whole);
    coarse.whole_halo.fill(coarse.whole, Reach::corners);
    auto const& start = fine.where.start();
    auto const offset = coarse.gathered ? Triple{start[0] / 2, start[1] / 2, start[2] / 2} : Triple{0, 0, 0};
    add_interpolated(coarse.whole, offset, fine.phi);
    fine.halo.fill(fine.phi.black, Reach::faces);
}

}  // namespace weir::cloud
