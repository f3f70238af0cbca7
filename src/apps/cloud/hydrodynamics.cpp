#include "apps/cloud/hydrodynamics.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "apps/cloud/vector_code.hpp"
#include "comm/collective_error.hpp"

namespace weir::cloud {
namespace {

struct Fields {
    double const *rho, *u, *v, *w, *p;
};

/// The greatest |velocity along an axis| + sound speed, lane by lane.
WEIR_VECTOR_CODE void fastest(Fields const& f, Index n, double gamma, double* most) {
    for (Index first = 0; first + lanes <= n; first += lanes) {
        for (Index l = 0; l < lanes; ++l) {
            Index const q = first + l;
            double const u = __builtin_fabs(f.u[q]);
            double const v = __builtin_fabs(f.v[q]);
            double const w = __builtin_fabs(f.w[q]);
            double const uv = u > v ? u : v;
            double const speed = (uv > w ? uv : w) + __builtin_sqrt(gamma * f.p[q] / f.rho[q]);
            most[l] = speed > most[l] ? speed : most[l];
        }
    }
}

double fastest_signal(State const& state, double gamma) {
    Fields const f{state[Variable::density].data(), state[Variable::velocity_x].data(),
                   state[Variable::velocity_y].data(), state[Variable::velocity_z].data(),
                   state[Variable::pressure].data()};
    std::array<double, lanes> most{};
    auto const n = state.cells();
    fastest(f, n, gamma, most.data());
    // The last cells again, so that none is left out; blocks have at least 4 * 4 * 4 cells.
    auto const from = n - lanes;
    fastest({f.rho + from, f.u + from, f.v + from, f.w + from, f.p + from}, lanes, gamma, most.data());
    return *std::max_element(most.begin(), most.end());
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
