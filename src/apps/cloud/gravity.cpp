#include "apps/cloud/gravity.hpp"

#include <algorithm>
#include <numbers>

#include "apps/cloud/whole_grid.hpp"
#include "apps/common/gas/vector_code.hpp"

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

namespace {

/// v -= factor * (behind - before), for a row.
WEIR_VECTOR_CODE void accelerate(double* velocity, double const* phi, Index stride, double factor, Index n) {
    WEIR_INDEPENDENT
    for (Index i = 0; i < n; ++i) {
        velocity[i] -= factor * (phi[i + stride] - phi[i - stride]);
    }
}

}  // namespace

Gravity::Gravity(Decomposition const& where, double constant, Stop const& stop)
    : four_pi_g_(4 * std::numbers::pi * constant),
      stop_(stop),
      solver_(where),
      potential_(where.cells()),
      halo_(where, where.cells()),
      source_(static_cast<std::size_t>(volume(where.cells()))) {}

Solution Gravity::solve(State& state) {
    auto const density = state[Variable::density];
    std::transform(density.begin(), density.end(), source_.begin(), [&](double rho) { return four_pi_g_ * rho; });
    return solver_.solve(state[Variable::potential], source_, stop_);
}

void Gravity::kick(State& state, double dt) {
    auto const& n = potential_.cells();
    auto const* phi = state[Variable::potential].data();
    for (Index k = 0; k < n[2]; ++k) {
        for (Index j = 0; j < n[1]; ++j, phi += n[0]) {
            std::copy_n(phi, n[0], potential_.row(j, k));
        }
    }
    halo_.fill(potential_, GhostLayers::faces);
    auto const factor = dt / (2 * state.where().grid().spacing);
    Triple const strides{1, potential_.row_stride(), potential_.plane_stride()};
    for (Index k = 0; k < n[2]; ++k) {
        for (Index j = 0; j < n[1]; ++j) {
            for (std::size_t a = 0; a < axes; ++a) {
                auto const velocity = static_cast<Variable>(static_cast<std::size_t>(Variable::velocity_x) + a);
                auto* const row = state[velocity].data() + n[0] * (j + n[1] * k);
                accelerate(row, potential_.row(j, k), strides[a], factor, n[0]);
            }
        }
    }
}

}  // namespace weir::cloud
