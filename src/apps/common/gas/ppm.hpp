#pragma once

#include "apps/common/gas/pencils.hpp"
#include "apps/common/gas/vector_code.hpp"

namespace weir::gas {

/// A state on one side of a face; u is the velocity across the face.
struct Side {
    double rho, u, v, w, p;
};

/// The flux through a face: mass, momentum (u, v, w), energy.
struct Flux {
    double mass, u, v, w, energy;
};

/// Riemann solvers for two gases at a face: only conditional expressions, so that loops are vectorised.

WEIR_INLINE Flux flux_of(double rho, double u, double v, double w, double p, double energy) {
    double const mass = rho * u;
    return {mass, mass * u + p, mass * v, mass * w, u * (energy + p)};
}

/// HLLC: Toro, Spruce, Speares: Restoration of the contact surface in the HLL Riemann solver, Shock Waves 4 (1994);
/// wave speeds from an estimate of the pressure between the waves (Toro: Riemann solvers, 3rd ed., section 10.5.2).
WEIR_INLINE Flux hllc(Side const& l, Side const& r, double gamma) {
    double const cl = __builtin_sqrt(gamma * l.p / l.rho);
    double const cr = __builtin_sqrt(gamma * r.p / r.rho);
    double const guess = 0.5 * (l.p + r.p) - 0.125 * (r.u - l.u) * (l.rho + r.rho) * (cl + cr);
    double const g = (gamma + 1) / (2 * gamma);
    double const ratio_l = guess / l.p;
    double const ratio_r = guess / r.p;
    double const ql = __builtin_sqrt(1 + g * (ratio_l > 1 ? ratio_l - 1 : 0));
    double const qr = __builtin_sqrt(1 + g * (ratio_r > 1 ? ratio_r - 1 : 0));
    double const sl = l.u - cl * ql;
    double const sr = r.u + cr * qr;
    double const ml = l.rho * (sl - l.u);  // mass through the left wave; negative
    double const mr = r.rho * (sr - r.u);
    double const contact = (r.p - l.p + ml * l.u - mr * r.u) / (ml - mr);
    bool const from_left = contact >= 0;
    double const rho = from_left ? l.rho : r.rho;
    double const u = from_left ? l.u : r.u;
    double const v = from_left ? l.v : r.v;
    double const w = from_left ? l.w : r.w;
    double const p = from_left ? l.p : r.p;
    double const s = from_left ? sl : sr;
    double const m = from_left ? ml : mr;
    double const outside = from_left ? sl : -sr;  // not negative: all waves go to the other side
    double const energy = p / (gamma - 1) + 0.5 * rho * (u * u + v * v + w * w);
    double const rho_star = m / (s - contact);
    double const p_star = p + m * (contact - u);
    double const energy_star = rho_star * (energy / rho + (contact - u) * (contact + p / m));
    bool const whole = outside >= 0;
    return flux_of(whole ? rho : rho_star, whole ? u : contact, v, w, whole ? p : p_star, whole ? energy : energy_star);
}

/// The initial guess of the pressure between two shocks: that of weak waves, which change it by rho c times the
/// velocity.
WEIR_INLINE double acoustic_pressure(Side const& l, Side const& r, double gamma) {
    double const zl = __builtin_sqrt(gamma * l.p * l.rho);
    double const zr = __builtin_sqrt(gamma * r.p * r.rho);
    double const p = (zr * l.p + zl * r.p + zl * zr * (l.u - r.u)) / (zl + zr);
    double const least = 1e-6 * (l.p < r.p ? l.p : r.p);
    return p > least ? p : least;
}

/// Mass through a wave that changes the pressure to p_star: Colella & Woodward (1984) eq. (2.6), both waves as shocks.
WEIR_INLINE double mass_through(Side const& s, double p_star, double gamma) {
    return __builtin_sqrt(s.rho * (gamma * s.p + 0.5 * (gamma + 1) * (p_star - s.p)));
}

/// One Newton step towards the pressure at which both sides have the same velocity. Van Leer: Towards the ultimate
/// conservative difference scheme V, J. Comput. Phys. 32 (1979), section on the Riemann problem.
WEIR_INLINE double newton_step(Side const& l, Side const& r, double p, double gamma) {
    double const per_wl = 1 / mass_through(l, p, gamma);
    double const per_wr = 1 / mass_through(r, p, gamma);
    double const ul = l.u - (p - l.p) * per_wl;
    double const ur = r.u + (p - r.p) * per_wr;
    double const h = 0.25 * (gamma + 1);
    double const zl = (1 - (p - l.p) * h * l.rho * per_wl * per_wl) * per_wl;  // -du/dp
    double const zr = (1 - (p - r.p) * h * r.rho * per_wr * per_wr) * per_wr;
    double const next = p + (ul - ur) / (zl + zr);
    double const least = 1e-6 * (l.p < r.p ? l.p : r.p);
    return next > least ? next : least;
}

/// The state at a face between two shocks.
struct AtFace {
    double rho, u, p;
};

/// The state at the face, given the pressure between the shocks; within a rarefaction fan interpolated
/// between its head and tail (Colella & Woodward, section 2).
WEIR_INLINE AtFace two_shock(Side const& l, Side const& r, double p_star, double gamma) {
    double const wl = mass_through(l, p_star, gamma);
    double const wr = mass_through(r, p_star, gamma);
    double const u_star = 0.5 * (l.u - (p_star - l.p) / wl + r.u + (p_star - r.p) / wr);
    bool const from_left = u_star >= 0;
    double const sign = from_left ? 1.0 : -1.0;
    double const rho = from_left ? l.rho : r.rho;
    double const u = from_left ? l.u : r.u;
    double const p = from_left ? l.p : r.p;
    double const wave = from_left ? wl : wr;
    double const rho_star = rho / (1 - rho * (p_star - p) / (wave * wave));  // 1 / rho* = 1 / rho - (p* - p) / W^2
    bool const shock = p_star > p;
    // Speeds of the wave's head and tail away from the contact; equal for a shock.
    double const shock_speed2 = wave * wave / (rho * rho);
    double const front = __builtin_sqrt(shock ? shock_speed2 : gamma * p / rho);
    double const back = __builtin_sqrt(gamma * p_star / rho_star);
    double const head = front - sign * u;
    double const tail = shock ? head : back - sign * u_star;
    double const inside = head / (head - tail);
    double const part = inside > 0 ? inside : 0.0;
    double const fan = part < 1 ? part : 1.0;
    double const star = tail >= 0 ? 1.0 : fan;
    return {rho + star * (rho_star - rho), u + star * (u_star - u), p + star * (p_star - p)};
}

/// The stages of one sweep before the Riemann problems, as vectorised loops. Each runs over a flat range of
/// [cell][lane]; a neighbour along the sweep is `lanes` away. Equations: Colella & Woodward (1984).

WEIR_INLINE double smaller(double a, double b) { return a < b ? a : b; }
WEIR_INLINE double greater(double a, double b) { return a > b ? a : b; }
WEIR_INLINE double between(double low, double x, double high) { return smaller(greater(x, low), high); }

/// How much a cell is inside a strong shock, 0 to 1 (appendix, eqs. A.1 and A.2), for cells first to last - 1.
WEIR_INLINE void steepness(double* __restrict f, double const* __restrict p, double const* __restrict u, Index first,
                           Index last) {
    WEIR_INDEPENDENT
    for (Index q = first * lanes; q < last * lanes; ++q) {
        double const below = p[q - lanes];
        double const above = p[q + lanes];
        double const jump = above - below;
        double const wide = p[q + 2 * lanes] - p[q - 2 * lanes];
        double const shape = between(0, (jump / wide - 0.75) * 10, 1);
        bool const strong = __builtin_fabs(jump) > 0.33 * smaller(above, below);
        bool const converging = u[q - lanes] > u[q + lanes];
        f[q] = strong & converging ? shape : 0.0;
    }
}

/// The greater of a cell's steepness and that of its neighbour towards lower pressure (eq. A.2).
WEIR_INLINE void flattening(double* __restrict flat, double const* __restrict f, double const* __restrict p,
                            Index first, Index last) {
    WEIR_INDEPENDENT
    for (Index q = first * lanes; q < last * lanes; ++q) {
        double const below = f[q - lanes];
        double const above = f[q + lanes];
        double const other = p[q + lanes] > p[q - lanes] ? below : above;
        flat[q] = greater(f[q], other);
    }
}

/// Slopes, limited so that a face's value lies between its cells (eq. 1.8), for an equal spacing.
WEIR_INLINE void slopes(double* __restrict d, double const* __restrict a, Index first, Index last) {
    WEIR_INDEPENDENT
    for (Index q = first * lanes; q < last * lanes; ++q) {
        double const down = a[q] - a[q - lanes];
        double const up = a[q + lanes] - a[q];
        double const centred = 0.5 * (up + down);
        double const least = 2 * smaller(__builtin_fabs(up), __builtin_fabs(down));
        double const size = smaller(__builtin_fabs(centred), least);
        double const limited = centred > 0 ? size : -size;
        d[q] = up * down > 0 ? limited : 0.0;
    }
}

/// Values at upper faces (eq. 1.6): fourth order where the flow is smooth.
WEIR_INLINE void faces(double* __restrict face, double const* __restrict a, double const* __restrict d, Index first,
                       Index last) {
    WEIR_INDEPENDENT
    for (Index q = first * lanes; q < last * lanes; ++q) {
        double const a0 = a[q];
        double const a1 = a[q + lanes];
        face[q] = a0 + 0.5 * (a1 - a0) - (d[q + lanes] - d[q]) * (1.0 / 6.0);
    }
}

/// Parabolas: face values flattened (eq. 4.1), then made monotonic (eq. 1.10).
WEIR_INLINE void parabolas(double* __restrict low, double* __restrict high, double const* __restrict a,
                           double const* __restrict face, double const* __restrict flat, Index first, Index last) {
    WEIR_INDEPENDENT
    for (Index q = first * lanes; q < last * lanes; ++q) {
        double const mean = a[q];
        double const f = flat[q];
        double const l = f * mean + (1 - f) * face[q - lanes];
        double const r = f * mean + (1 - f) * face[q];
        double const d = r - l;
        double const bend = d * 6 * (mean - 0.5 * (l + r));
        double const l1 = bend > d * d ? 3 * mean - 2 * r : l;
        double const r1 = bend < -d * d ? 3 * mean - 2 * l : r;
        bool const extremum = (r - mean) * (mean - l) <= 0;
        low[q] = extremum ? mean : l1;
        high[q] = extremum ? mean : r1;
    }
}

}  // namespace weir::gas
