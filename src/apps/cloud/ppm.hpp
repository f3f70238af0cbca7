#pragma once

#include "apps/cloud/pencils.hpp"
#include "apps/cloud/vector_code.hpp"

namespace weir::cloud {

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

}  // namespace weir::cloud
