#include "apps/cloud/simulation.hpp"

#include <algorithm>

namespace weir::cloud {

Simulation::Simulation(State state, Physics const& physics)
    : state_(std::move(state)), hydro_(state_.where(), physics.gas) {
    if (physics.gravity > 0) {
        gravity_.emplace(state_.where(), physics.gravity, physics.stop);
        if (state_.step == 0) {
            solve();
        }
    }
}

void Simulation::solve() {
    auto const solution = gravity_->solve(state_);
    effort_.cycles += solution.cycles;
    effort_.capped += solution.converged ? 0 : 1;
}

double Simulation::step(std::optional<double> end) {
    auto const whole = hydro_.time_step(state_);
    auto const dt = end ? std::min(whole, *end - state_.time) : whole;
    if (gravity_) {
        gravity_->kick(state_, dt / 2);
    }
    hydro_.advance(state_, dt, state_.step % 2 == 0 ? SweepOrder::xyz : SweepOrder::zyx);
    effort_.raised = hydro_.raised();
    if (gravity_) {
        solve();
        gravity_->kick(state_, dt / 2);
    }
    state_.time = end && dt < whole ? *end : state_.time + dt;
    ++state_.step;
    return dt;
}

}  // namespace weir::cloud
