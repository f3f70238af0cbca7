#pragma once

#include <array>
#include <cstddef>

#include "apps/common/grid.hpp"

namespace weir::flash {

/// The state of a cell is primitive, so that a restart from doubles continues bit for bit.
enum GasVariable : std::size_t { density, velocity_x, velocity_y, velocity_z, pressure };
constexpr std::size_t variables = 5;
using State = std::array<double, variables>;

/// Density, momentum and energy, of a state; and the inverse.
constexpr State conserved(State const& s, double gamma) {
    auto const [rho, u, v, w, p] = s;
    return {rho, rho * u, rho * v, rho * w, p / (gamma - 1) + 0.5 * rho * (u * u + v * v + w * w)};
}
constexpr State primitive(State const& c, double gamma) {
    auto const [rho, mu, mv, mw, energy] = c;
    return {rho, mu / rho, mv / rho, mw / rho, (gamma - 1) * (energy - 0.5 * (mu * mu + mv * mv + mw * mw) / rho)};
}

constexpr Index guards = 4;  ///< layers of guard cells that a sweep needs

/// Cells [low, high) along each axis, counted from a block's first one: guard cells are outside [0, n).
struct CellBox {
    Triple low{};
    Triple high{};

    [[nodiscard]] constexpr Triple size() const { return {high[0] - low[0], high[1] - low[1], high[2] - low[2]}; }
};

/// Where the cells of a box are in memory, variable by variable.
template <class T>
struct View {
    T* data;        ///< the cell `low` of the first variable
    Triple low;     ///< counted as in Box
    Triple stride;  ///< between neighbours along each axis
    Index apart;    ///< between variables

    [[nodiscard]] T* at(std::size_t variable, Triple const& cell) const {
        return data + static_cast<Index>(variable) * apart + (cell[0] - low[0]) * stride[0] +
               (cell[1] - low[1]) * stride[1] + (cell[2] - low[2]) * stride[2];
    }
    [[nodiscard]] State state(Triple const& cell) const {
        auto const* const first = at(0, cell);
        return {first[0], first[apart], first[2 * apart], first[3 * apart], first[4 * apart]};
    }
    void set(Triple const& cell, State const& state) const {
        auto* const first = at(0, cell);
        for (std::size_t v = 0; v < variables; ++v) {
            first[static_cast<Index>(v) * apart] = state[v];
        }
    }
    /// The same memory with cell `to` as cell 0.
    [[nodiscard]] View moved(Triple const& to) const {
        return {data, {low[0] - to[0], low[1] - to[1], low[2] - to[2]}, stride, apart};
    }
    operator View<T const>() const { return {data, low, stride, apart}; }  // NOLINT(*-explicit-*): as T* to T const*
};

/// A box whose cells are contiguous, x fastest, one variable after the other.
template <class T>
View<T> contiguous(T* data, CellBox const& box) {
    auto const n = box.size();
    return {data, box.low, {1, n[0], n[0] * n[1]}, volume(n)};
}

/// Calls visit(cell) for each cell of a box, x fastest.
template <class Visit>
void for_cells(CellBox const& box, Visit visit) {
    Triple c{};
    for (c[2] = box.low[2]; c[2] < box.high[2]; ++c[2]) {
        for (c[1] = box.low[1]; c[1] < box.high[1]; ++c[1]) {
            for (c[0] = box.low[0]; c[0] < box.high[0]; ++c[0]) {
                visit(c);
            }
        }
    }
}

/// The cells of a box from one place to another.
void copy(View<double const> const& from, CellBox const&, View<double> const& to);

}  // namespace weir::flash
