#include "apps/cloud/potential_solver.hpp"

#include "apps/cloud/whole_grid.hpp"

namespace weir::cloud {

PotentialSolver::PotentialSolver(Decomposition const& where) : where_(where) {
    if (all_even(where.cells())) {
        cycles_.emplace(where);
        return;
    }
    auto const& grid = where.grid();
    if (all_even(grid.cells)) {
        cycles_.emplace(Decomposition({}, grid));
    } else {
        at_once_.emplace(grid);
    }
    if (where.comm().size() > 1) {
        whole_phi_.resize(static_cast<std::size_t>(volume(grid.cells)));
        whole_source_.resize(whole_phi_.size());
    }
}

Solution PotentialSolver::solve(std::span<double> phi, std::span<double const> source, Stop const& stop) {
    if (whole_phi_.empty()) {
        return solve_here(phi, source, stop);
    }
    gather_grid(where_, source, whole_source_);
    gather_grid(where_, phi, whole_phi_);
    auto const solution = solve_here(whole_phi_, whole_source_, stop);
    take_block(where_, whole_phi_, phi);
    return solution;
}

Solution PotentialSolver::solve_here(std::span<double> phi, std::span<double const> source, Stop const& stop) {
    return cycles_ ? cycles_->solve(phi, source, stop) : at_once_->solve(phi, source, stop);
}

}  // namespace weir::cloud
