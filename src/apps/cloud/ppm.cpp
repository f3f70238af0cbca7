#include "apps/cloud/ppm.hpp"

#include "apps/cloud/riemann.hpp"

namespace weir::cloud {
namespace {

enum : std::size_t { density, normal, side1, side2, pressure };

/// States at a cell's two faces half a step later: averages over what the waves bring, characteristic by characteristic
/// (section 3, eqs. 3.5 to 3.7). A state with a density or pressure that is not positive gives way to the cell's mean.
WEIR_INLINE void trace(Pencils const& p, double dt_over_dx, double gamma, Index first, Index last) {
    double const* __restrict rho = p.mean[density];
    double const* __restrict u = p.mean[normal];
    double const* __restrict v = p.mean[side1];
    double const* __restrict w = p.mean[side2];
    double const* __restrict pr = p.mean[pressure];
    double const* __restrict rho_l = p.low[density];
    double const* __restrict u_l = p.low[normal];
    double const* __restrict v_l = p.low[side1];
    double const* __restrict w_l = p.low[side2];
    double const* __restrict p_l = p.low[pressure];
    double const* __restrict rho_h = p.high[density];
    double const* __restrict u_h = p.high[normal];
    double const* __restrict v_h = p.high[side1];
    double const* __restrict w_h = p.high[side2];
    double const* __restrict p_h = p.high[pressure];
    double* __restrict left_rho = p.left[density] + lanes;
    double* __restrict left_u = p.left[normal] + lanes;
    double* __restrict left_v = p.left[side1] + lanes;
    double* __restrict left_w = p.left[side2] + lanes;
    double* __restrict left_p = p.left[pressure] + lanes;
    double* __restrict right_rho = p.right[density];
    double* __restrict right_u = p.right[normal];
    double* __restrict right_v = p.right[side1];
    double* __restrict right_w = p.right[side2];
    double* __restrict right_p = p.right[pressure];
    WEIR_INDEPENDENT
    for (Index q = first * lanes; q < last * lanes; ++q) {
        double const inverse_rho = 1 / rho[q];
        double const c2 = gamma * pr[q] * inverse_rho;
        double const c = __builtin_sqrt(c2);
        double const inverse_c2 = 1 / c2;
        double const half_z = 0.5 * rho[q] * c * inverse_c2;  // rho / 2c
        double const c_over_rho = c * inverse_rho;
        double const slow = u[q] - c;
        double const fast = u[q] + c;
        {
            double const s_fast = greater(fast, 0) * dt_over_dx;
            double const s_mid = greater(u[q], 0) * dt_over_dx;
            double const s_slow = greater(slow, 0) * dt_over_dx;
            double const ref_rho = upper_part(rho[q], rho_l[q], rho_h[q], s_fast);
            double const ref_u = upper_part(u[q], u_l[q], u_h[q], s_fast);
            double const ref_p = upper_part(pr[q], p_l[q], p_h[q], s_fast);
            double const du = ref_u - upper_part(u[q], u_l[q], u_h[q], s_slow);
            double const dp = ref_p - upper_part(pr[q], p_l[q], p_h[q], s_slow);
            double const drho0 = ref_rho - upper_part(rho[q], rho_l[q], rho_h[q], s_mid);
            double const dp0 = ref_p - upper_part(pr[q], p_l[q], p_h[q], s_mid);
            double const slow_wave = slow > 0 ? 0.5 * dp * inverse_c2 - half_z * du : 0.0;
            double const entropy = u[q] > 0 ? drho0 - dp0 * inverse_c2 : 0.0;
            double const new_rho = ref_rho - slow_wave - entropy;
            double const new_p = ref_p - slow_wave * c2;
            bool const ok = (new_rho > 0) & (new_p > 0);
            left_rho[q] = ok ? new_rho : rho[q];
            left_p[q] = ok ? new_p : pr[q];
            left_u[q] = ok ? ref_u + slow_wave * c_over_rho : u[q];
            left_v[q] = upper_part(v[q], v_l[q], v_h[q], s_mid);
            left_w[q] = upper_part(w[q], w_l[q], w_h[q], s_mid);
        }
        {
            double const s_slow = greater(-slow, 0) * dt_over_dx;
            double const s_mid = greater(-u[q], 0) * dt_over_dx;
            double const s_fast = greater(-fast, 0) * dt_over_dx;
            double const ref_rho = lower_part(rho[q], rho_l[q], rho_h[q], s_slow);
            double const ref_u = lower_part(u[q], u_l[q], u_h[q], s_slow);
            double const ref_p = lower_part(pr[q], p_l[q], p_h[q], s_slow);
            double const du = ref_u - lower_part(u[q], u_l[q], u_h[q], s_fast);
            double const dp = ref_p - lower_part(pr[q], p_l[q], p_h[q], s_fast);
            double const drho0 = ref_rho - lower_part(rho[q], rho_l[q], rho_h[q], s_mid);
            double const dp0 = ref_p - lower_part(pr[q], p_l[q], p_h[q], s_mid);
            double const fast_wave = fast < 0 ? 0.5 * dp * inverse_c2 + half_z * du : 0.0;
            double const entropy = u[q] < 0 ? drho0 - dp0 * inverse_c2 : 0.0;
            double const new_rho = ref_rho - fast_wave - entropy;
            double const new_p = ref_p - fast_wave * c2;
            bool const ok = (new_rho > 0) & (new_p > 0);
            right_rho[q] = ok ? new_rho : rho[q];
            right_p[q] = ok ? new_p : pr[q];
            right_u[q] = ok ? ref_u - fast_wave * c_over_rho : u[q];
            right_v[q] = lower_part(v[q], v_l[q], v_h[q], s_mid);
            right_w[q] = lower_part(w[q], w_l[q], w_h[q], s_mid);
        }
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

/// Momentum and energy of the cells, into `low` (density stays where it is).
WEIR_INLINE void conserve(Pencils const& p, double gamma, Index first, Index last) {
    double const per_pressure = 1 / (gamma - 1);
    WEIR_INDEPENDENT
    for (Index q = first * lanes; q < last * lanes; ++q) {
        Side const s = side_at(p.mean, q);
        double const kinetic = 0.5 * s.rho * (s.u * s.u + s.v * s.v + s.w * s.w);
        store(p.low, q, {s.rho, s.rho * s.u, s.rho * s.v, s.rho * s.w, s.p * per_pressure + kinetic});
    }
}

WEIR_INLINE void hllc_fluxes(Pencils const& p, double gamma, Index first, Index last) {
    WEIR_INDEPENDENT
    for (Index q = first * lanes; q < last * lanes; ++q) {
        store(p.high, q, hllc(side_at(p.left, q), side_at(p.right, q), gamma));
    }
}

/// Newton's iteration as loops of its own, so that each is short enough for vector code.
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
    // What moves with the gas comes from where it comes from.
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

/// Adds what artificial viscosity moves down a compression (eq. 4.2, with the velocity along the sweep alone).
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

}  // namespace weir::cloud
