#include "apps/common/gas/ppm.hpp"

namespace weir::gas {
namespace {

enum : std::size_t { density, normal, side1, side2, pressure };

/// A cell's parabola of a quantity, seen from one of its faces: its mean, its values there and at the other face.
struct Seen {
    double mean, near, far;
};

/// Average over the part `s` of the cell that is next to the face (eq. 1.12).
WEIR_INLINE double part_of(Seen const& a, double s) {
    double const d = a.near - a.far;
    double const bend = 6 * (a.mean - 0.5 * (a.far + a.near));
    return a.near - 0.5 * s * (d - (1 - (2.0 / 3.0) * s) * bend);
}

/// The state at a face half a step later: averages over the domain of dependence, characteristic by characteristic
/// (section 3, eqs. 3.5 to 3.7). u is positive towards the face. A state with a density or pressure that is not
/// positive is replaced by the cell's mean.
WEIR_INLINE Side traced(Seen const& rho, Seen const& u, Seen const& v, Seen const& w, Seen const& p, double dt_over_dx,
                        double gamma) {
    double const inverse_rho = 1 / rho.mean;
    double const c2 = gamma * p.mean * inverse_rho;
    double const c = __builtin_sqrt(c2);
    double const inverse_c2 = 1 / c2;
    double const half_z = 0.5 * rho.mean * c * inverse_c2;  // rho / 2c
    double const slow = u.mean - c;
    double const s_fast = greater(u.mean + c, 0) * dt_over_dx;
    double const s_mid = greater(u.mean, 0) * dt_over_dx;
    double const s_slow = greater(slow, 0) * dt_over_dx;
    double const ref_rho = part_of(rho, s_fast);
    double const ref_u = part_of(u, s_fast);
    double const ref_p = part_of(p, s_fast);
    double const du = ref_u - part_of(u, s_slow);
    double const dp = ref_p - part_of(p, s_slow);
    double const drho0 = ref_rho - part_of(rho, s_mid);
    double const dp0 = ref_p - part_of(p, s_mid);
    double const slow_wave = slow > 0 ? 0.5 * dp * inverse_c2 - half_z * du : 0.0;
    double const entropy = u.mean > 0 ? drho0 - dp0 * inverse_c2 : 0.0;
    double const new_rho = ref_rho - slow_wave - entropy;
    double const new_p = ref_p - slow_wave * c2;
    bool const ok = (new_rho > 0) & (new_p > 0);
    return {ok ? new_rho : rho.mean, ok ? ref_u + slow_wave * (c * inverse_rho) : u.mean, part_of(v, s_mid),
            part_of(w, s_mid), ok ? new_p : p.mean};
}

WEIR_INLINE Seen upwards(Pencils const& p, std::size_t v, Index q) { return {p.mean[v][q], p.high[v][q], p.low[v][q]}; }
WEIR_INLINE Seen downwards(Pencils const& p, std::size_t v, Index q, double sign = 1) {
    return {sign * p.mean[v][q], sign * p.low[v][q], sign * p.high[v][q]};
}

WEIR_INLINE void store(std::array<double*, 5> const& to, Index q, Side const& s) {
    to[density][q] = s.rho;
    to[normal][q] = s.u;
    to[side1][q] = s.v;
    to[side2][q] = s.w;
    to[pressure][q] = s.p;
}

/// Traces each cell's states to its upper face and, mirrored, to its lower one.
WEIR_INLINE void trace(Pencils const& p, double dt_over_dx, double gamma, Index first, Index last) {
    WEIR_INDEPENDENT
    for (Index q = first * lanes; q < last * lanes; ++q) {
        Side const up = traced(upwards(p, density, q), upwards(p, normal, q), upwards(p, side1, q),
                               upwards(p, side2, q), upwards(p, pressure, q), dt_over_dx, gamma);
        Side const down = traced(downwards(p, density, q), downwards(p, normal, q, -1), downwards(p, side1, q),
                                 downwards(p, side2, q), downwards(p, pressure, q), dt_over_dx, gamma);
        store(p.left, q + lanes, up);
        store(p.right, q, Side{down.rho, -down.u, down.v, down.w, down.p});
    }
}

WEIR_INLINE Side side_at(std::array<double*, 5> const& s, Index q) {
    return {s[density][q], s[normal][q], s[side1][q], s[side2][q], s[pressure][q]};
}

WEIR_INLINE void store(std::array<double*, 5> const& to, Index q, Flux const& f) {
    to[0][q] = f.mass;
    to[1][q] = f.u;
    to[2][q] = f.v;
    to[3][q] = f.w;
    to[4][q] = f.energy;
}

/// Momentum and energy of the cells, into `low` (density stays in `mean`).
WEIR_INLINE void conserve(Pencils const& p, double gamma, Index first, Index last) {
    double const per_pressure = 1 / (gamma - 1);
    WEIR_INDEPENDENT
    for (Index q = first * lanes; q < last * lanes; ++q) {
        Side const s = side_at(p.mean, q);
        double const kinetic = 0.5 * s.rho * (s.u * s.u + s.v * s.v + s.w * s.w);
        store(p.low, q, Flux{s.rho, s.rho * s.u, s.rho * s.v, s.rho * s.w, s.p * per_pressure + kinetic});
    }
}

WEIR_INLINE void hllc_fluxes(Pencils const& p, double gamma, Index first, Index last) {
    WEIR_INDEPENDENT
    for (Index q = first * lanes; q < last * lanes; ++q) {
        store(p.high, q, hllc(side_at(p.left, q), side_at(p.right, q), gamma));
    }
}

/// Newton's iteration in separate loops, each short enough to be vectorised.
WEIR_INLINE void two_shock_fluxes(Pencils const& p, double gamma, Index first, Index last) {
    double* const star = p.face;
    auto const left = p.left;
    auto const right = p.right;
    WEIR_INDEPENDENT
    for (Index q = first * lanes; q < last * lanes; ++q) {
        star[q] = acoustic_pressure(side_at(left, q), side_at(right, q), gamma);
    }
    for (int iteration = 0; iteration < 5; ++iteration) {
        WEIR_INDEPENDENT
        for (Index q = first * lanes; q < last * lanes; ++q) {
            star[q] = newton_step(side_at(left, q), side_at(right, q), star[q], gamma);
        }
    }
    WEIR_INDEPENDENT
    for (Index q = first * lanes; q < last * lanes; ++q) {
        Side const l{left[density][q], left[normal][q], 0, 0, left[pressure][q]};
        Side const r{right[density][q], right[normal][q], 0, 0, right[pressure][q]};
        AtFace const s = two_shock(l, r, star[q], gamma);
        p.high[density][q] = s.rho;
        p.high[normal][q] = s.u;
        p.high[pressure][q] = s.p;
    }
    // Advected quantities come from the upwind side.
    double const per_pressure = 1 / (gamma - 1);
    WEIR_INDEPENDENT
    for (Index q = first * lanes; q < last * lanes; ++q) {
        Side const l = side_at(left, q);
        Side const r = side_at(right, q);
        double const rho = p.high[density][q];
        double const u = p.high[normal][q];
        double const pr = p.high[pressure][q];
        double const v = u >= 0 ? l.v : r.v;
        double const w = u >= 0 ? l.w : r.w;
        double const energy = pr * per_pressure + 0.5 * rho * (u * u + v * v + w * w);
        store(p.high, q, flux_of(rho, u, v, w, pr, energy));
    }
}

/// Adds the flux of artificial viscosity in a compression (eq. 4.2, with the velocity along the sweep only).
WEIR_INLINE void dissipate(double* __restrict flux, double const* __restrict conserved, double const* __restrict u,
                           double viscosity, Index first, Index last) {
    WEIR_INDEPENDENT
    for (Index q = first * lanes; q < last * lanes; ++q) {
        double const compression = greater(u[q - lanes] - u[q], 0);
        flux[q] += viscosity * compression * (conserved[q - lanes] - conserved[q]);
    }
}

/// Cell averages after the step (eq. 3.1).
WEIR_INLINE void update(Pencils& p, double dt_over_dx, double gamma, Index first, Index last) {
    double const per_energy = gamma - 1;
    Index bad = 0;
    WEIR_INDEPENDENT
    for (Index q = first * lanes; q < last * lanes; ++q) {
        double const rho = p.low[0][q] - dt_over_dx * (p.high[0][q + lanes] - p.high[0][q]);
        double const mu = p.low[1][q] - dt_over_dx * (p.high[1][q + lanes] - p.high[1][q]);
        double const mv = p.low[2][q] - dt_over_dx * (p.high[2][q + lanes] - p.high[2][q]);
        double const mw = p.low[3][q] - dt_over_dx * (p.high[3][q + lanes] - p.high[3][q]);
        double const e = p.low[4][q] - dt_over_dx * (p.high[4][q + lanes] - p.high[4][q]);
        double const inverse = 1 / rho;
        double const pr = per_energy * (e - 0.5 * (mu * mu + mv * mv + mw * mw) * inverse);
        p.mean[density][q] = rho;
        p.mean[normal][q] = mu * inverse;
        p.mean[side1][q] = mv * inverse;
        p.mean[side2][q] = mw * inverse;
        p.mean[pressure][q] = pr;
        bad += (rho > 0) & (pr > 0) ? Index{0} : Index{1};
    }
    p.sound = bad == 0;
}

}  // namespace

WEIR_VECTOR_CODE void sweep(Pencils& p, double dt_over_dx, Gas const& gas) {
    Index const n = p.cells;
    steepness(p.steep, p.mean[pressure], p.mean[normal], -2, n + 2);
    flattening(p.flat, p.steep, p.mean[pressure], -1, n + 1);
    for (std::size_t v = 0; v < 5; ++v) {
        slopes(p.slope, p.mean[v], -2, n + 2);
        faces(p.face, p.mean[v], p.slope, -2, n + 1);
        parabolas(p.low[v], p.high[v], p.mean[v], p.face, p.flat, -1, n + 1);
    }
    trace(p, dt_over_dx, gas.gamma, -1, n + 1);
    if (gas.riemann == RiemannSolver::hllc) {
        hllc_fluxes(p, gas.gamma, 0, n + 1);
    } else {
        two_shock_fluxes(p, gas.gamma, 0, n + 1);
    }
    conserve(p, gas.gamma, -1, n + 1);
    for (std::size_t v = 0; v < 5; ++v) {
        dissipate(p.high[v], p.low[v], p.mean[normal], gas.viscosity, 0, n + 1);
    }
    update(p, dt_over_dx, gas.gamma, 0, n);
    if (has_floors(gas)) {
        raise_to_floors(p, gas);
    }
}

}  // namespace weir::gas
