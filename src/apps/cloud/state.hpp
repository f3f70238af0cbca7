#pragma once

#include <array>
#include <span>
#include <string_view>
#include <utility>

#include "apps/common/decomposition.hpp"

namespace weir::cloud {

/// The six fields, in the order of the dumps.
enum class Variable { density, velocity_x, velocity_y, velocity_z, pressure, potential };
constexpr std::array<std::string_view, 6> enum_names(Variable) { return {"rho", "u", "v", "w", "p", "phi"}; }

/// The complete state of a run: cell averages of one block, without ghosts, x fastest. Velocities and pressure are
/// stored instead of momentum and energy, so that writing and reading restores the state exactly.
class State {
  public:
    explicit State(Decomposition where) : where_(std::move(where)) {
        for (auto& field : fields_) {
            field.assign(static_cast<std::size_t>(cells()), 0.0);
        }
    }

    [[nodiscard]] Decomposition const& where() const { return where_; }
    [[nodiscard]] Index cells() const { return volume(where_.cells()); }

    /// This block's values of one field, as an array (nx, ny, nz) in column-major order.
    [[nodiscard]] std::span<double> operator[](Variable v) { return fields_[static_cast<std::size_t>(v)]; }
    [[nodiscard]] std::span<double const> operator[](Variable v) const { return fields_[static_cast<std::size_t>(v)]; }

    double time = 0;
    Index step = 0;

  private:
    Decomposition where_;
    std::array<Doubles, 6> fields_;
};

/// Sets every cell to `at` of its centre's coordinates: {rho, u, v, w, p}. Local.
template <class At>
void fill(State& state, At at) {
    auto const& where = state.where();
    auto const h = where.grid().spacing;
    auto const centre = [&](std::size_t axis, Index i) {
        return (static_cast<double>(where.start()[axis] + i) + 0.5) * h;
    };
    std::size_t cell = 0;
    for (Index k = 0; k < where.cells()[2]; ++k) {
        for (Index j = 0; j < where.cells()[1]; ++j) {
            for (Index i = 0; i < where.cells()[0]; ++i, ++cell) {
                std::array<double, 5> const values = at(centre(0, i), centre(1, j), centre(2, k));
                for (std::size_t v = 0; v < values.size(); ++v) {
                    state[static_cast<Variable>(v)][cell] = values[v];
                }
            }
        }
    }
}

}  // namespace weir::cloud
