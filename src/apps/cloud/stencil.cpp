#include "apps/cloud/stencil.hpp"

#include "apps/common/gas/vector_code.hpp"

namespace weir::cloud {
namespace {

/// The cells of a colour as plain pointers, for vectorised loops.
struct Cells {
    double* first;
    Index row;
    Index plane;
    [[nodiscard]] WEIR_INLINE double* at(Index j, Index k) const { return first + row * j + plane * k; }
};

struct ConstCells {
    double const* first;
    Index row;
    Index plane;
    [[nodiscard]] WEIR_INLINE double const* at(Index j, Index k) const { return first + row * j + plane * k; }
};

Cells cells_of(Ghosted& a) { return {a.row(0, 0), a.row_stride(), a.plane_stride()}; }
ConstCells cells_of(Ghosted const& a) { return {a.row(0, 0), a.row_stride(), a.plane_stride()}; }

/// Along x one neighbour has the same index in the other colour, and the other neighbour is one before or after.
WEIR_INLINE Index other_neighbour(Colour colour, Index j, Index k) {
    return ((j + k + static_cast<Index>(colour)) & 1) != 0 ? 1 : -1;
}

/// A row of the other colour and the rows around it.
struct Rows {
    double const *same, *shifted, *south, *north, *below, *above;
    [[nodiscard]] WEIR_INLINE double sum(Index m) const {
        return ((same[m] + shifted[m]) + (south[m] + north[m])) + (below[m] + above[m]);
    }
};

WEIR_INLINE Rows rows_around(ConstCells const& other, Colour colour, Index j, Index k) {
    double const* const row = other.at(j, k);
    return {row,
            row + other_neighbour(colour, j, k),
            other.at(j - 1, k),
            other.at(j + 1, k),
            other.at(j, k - 1),
            other.at(j, k + 1)};
}

struct Problem {
    ConstCells red, black, red_rhs, black_rhs;
};

Problem problem_of(Coloured const& phi, Coloured const& rhs) {
    return {cells_of(phi.red), cells_of(phi.black), cells_of(rhs.red), cells_of(rhs.black)};
}

WEIR_INLINE double residual(double const* x, Rows const& rows, double const* b, Index m) {
    return b[m] - (rows.sum(m) - 6 * x[m]);
}

WEIR_VECTOR_CODE void relax_cells(Cells const& x, ConstCells const& other, ConstCells const& rhs, Triple const& n,
                                  Colour colour, double omega) {
    double const keep = 1 - omega;
    double const share = omega / 6;
    for (Index k = 0; k < n[2]; ++k) {
        for (Index j = 0; j < n[1]; ++j) {
            double* const row = x.at(j, k);
            double const* const b = rhs.at(j, k);
            Rows const rows = rows_around(other, colour, j, k);
            Index const last = n[0];
            WEIR_INDEPENDENT
            for (Index m = 0; m < last; ++m) {
                row[m] = keep * row[m] + share * (rows.sum(m) - b[m]);
            }
        }
    }
}

WEIR_VECTOR_CODE void square_cells(Problem const& p, Triple const& n, double* squares) {
    for (Index k = 0; k < n[2]; ++k) {
        for (Index j = 0; j < n[1]; ++j) {
            Rows const blacks = rows_around(p.black, Colour::red, j, k);
            Rows const reds = rows_around(p.red, Colour::black, j, k);
            double* const out = squares + 2 * n[0] * (j + n[1] * k);
            WEIR_INDEPENDENT
            for (Index m = 0; m < n[0]; ++m) {
                double const r = residual(p.red.at(j, k), blacks, p.red_rhs.at(j, k), m);
                double const s = residual(p.black.at(j, k), reds, p.black_rhs.at(j, k), m);
                out[m] = r * r;
                out[n[0] + m] = s * s;
            }
        }
    }
}

WEIR_INLINE void add_row(Problem const& p, Index j, Index k, Index n, double* out, bool begin) {
    Rows const blacks = rows_around(p.black, Colour::red, j, k);
    Rows const reds = rows_around(p.red, Colour::black, j, k);
    double const* const red = p.red.at(j, k);
    double const* const black = p.black.at(j, k);
    double const* const red_rhs = p.red_rhs.at(j, k);
    double const* const black_rhs = p.black_rhs.at(j, k);
    WEIR_INDEPENDENT
    for (Index m = 0; m < n; ++m) {
        double const sum = residual(red, blacks, red_rhs, m) + residual(black, reds, black_rhs, m);
        out[m] = (begin ? 0.0 : out[m]) + 0.5 * sum;
    }
}

WEIR_VECTOR_CODE void restrict_cells(Problem const& p, Triple const& n, double* coarse) {
    for (Index k = 0; k < n[2]; k += 2) {
        for (Index j = 0; j < n[1]; j += 2) {
            double* const out = coarse + n[0] * (j / 2 + n[1] / 2 * (k / 2));
            add_row(p, j, k, n[0], out, true);
            add_row(p, j + 1, k, n[0], out, false);
            add_row(p, j, k + 1, n[0], out, false);
            add_row(p, j + 1, k + 1, n[0], out, false);
        }
    }
}

/// One fine row: weights across x first, into `mixed` (which begins one cell earlier), then along x.
WEIR_INLINE void interpolate_row(ConstCells const& c, Index j, Index k, Index n, double* mixed, double* even,
                                 double* odd) {
    Index const jc = j / 2;
    Index const kc = k / 2;
    Index const dj = (j & 1) != 0 ? 1 : -1;
    Index const dk = (k & 1) != 0 ? 1 : -1;
    double const* const near = c.at(jc, kc);
    double const* const beside = c.at(jc + dj, kc);
    double const* const over = c.at(jc, kc + dk);
    double const* const diagonal = c.at(jc + dj, kc + dk);
    double* const middle = mixed + 1;
    WEIR_INDEPENDENT
    for (Index m = -1; m <= n; ++m) {
        middle[m] = 0.5625 * near[m] + 0.1875 * (beside[m] + over[m]) + 0.0625 * diagonal[m];
    }
    WEIR_INDEPENDENT
    for (Index m = 0; m < n; ++m) {
        even[m] += 0.75 * middle[m] + 0.25 * middle[m - 1];
        odd[m] += 0.75 * middle[m] + 0.25 * middle[m + 1];
    }
}

WEIR_VECTOR_CODE void interpolate_cells(ConstCells const& coarse, Cells const& red, Cells const& black, Triple const& n,
                                        double* mixed) {
    for (Index k = 0; k < n[2]; ++k) {
        for (Index j = 0; j < n[1]; ++j) {
            bool const red_is_even = ((j + k) & 1) == 0;
            double* const even = red_is_even ? red.at(j, k) : black.at(j, k);
            double* const odd = red_is_even ? black.at(j, k) : red.at(j, k);
            interpolate_row(coarse, j, k, n[0], mixed, even, odd);
        }
    }
}

/// Visits every row of a block with the rows of the colours of its even and odd cells.
template <class Colours, class Visit>
void for_rows(Colours& colours, Visit visit) {
    auto const& n = colours.red.cells();
    for (Index k = 0; k < n[2]; ++k) {
        for (Index j = 0; j < n[1]; ++j) {
            auto* const red = colours.red.row(j, k);
            auto* const black = colours.black.row(j, k);
            auto const red_is_even = ((j + k) & 1) == 0;
            visit(j, k, red_is_even ? red : black, red_is_even ? black : red);
        }
    }
}

}  // namespace

void to_colours(double const* block, double factor, Coloured& to) {
    auto const half = to.red.cells()[0];
    auto const rows = to.red.cells()[1];
    for_rows(to, [&](Index j, Index k, double* even, double* odd) {
        auto const* const row = block + 2 * half * (j + rows * k);
        for (Index m = 0; m < half; ++m) {
            even[m] = factor * row[2 * m];
            odd[m] = factor * row[2 * m + 1];
        }
    });
}

void from_colours(Coloured const& from, double* block) {
    auto const half = from.red.cells()[0];
    auto const rows = from.red.cells()[1];
    for_rows(from, [&](Index j, Index k, double const* even, double const* odd) {
        auto* const row = block + 2 * half * (j + rows * k);
        for (Index m = 0; m < half; ++m) {
            row[2 * m] = even[m];
            row[2 * m + 1] = odd[m];
        }
    });
}

void from_colours(Coloured const& from, Ghosted& to) {
    auto const half = from.red.cells()[0];
    for_rows(from, [&](Index j, Index k, double const* even, double const* odd) {
        auto* const row = to.row(j, k);
        for (Index m = 0; m < half; ++m) {
            row[2 * m] = even[m];
            row[2 * m + 1] = odd[m];
        }
    });
}

void relax(Coloured& phi, Coloured const& rhs, Colour colour, double omega) {
    auto const red = colour == Colour::red;
    auto const& other = red ? phi.black : phi.red;
    relax_cells(cells_of(red ? phi.red : phi.black), cells_of(other), cells_of(red ? rhs.red : rhs.black),
                other.cells(), colour, omega);
}

void squared_residuals(Coloured const& phi, Coloured const& rhs, double* squares) {
    square_cells(problem_of(phi, rhs), phi.red.cells(), squares);
}

void restrict_residuals(Coloured const& phi, Coloured const& rhs, double* coarse) {
    restrict_cells(problem_of(phi, rhs), phi.red.cells(), coarse);
}

void add_interpolated(Ghosted const& coarse, Triple const& offset, Coloured& phi) {
    auto const begin = coarse.row(offset[1], offset[2]) + offset[0];
    Doubles mixed(static_cast<std::size_t>(phi.red.cells()[0] + 2));
    interpolate_cells({begin, coarse.row_stride(), coarse.plane_stride()}, cells_of(phi.red), cells_of(phi.black),
                      phi.red.cells(), mixed.data());
}

}  // namespace weir::cloud
