#pragma once

#include <optional>
#include <span>

#include "apps/aquifer/model/problem.hpp"

namespace weir::aquifer {

/// The state of ghosted cells, for Darcy's law.
struct Heads {
    std::span<double const> pressure;  ///< pressure head psi, m
    std::span<Slope const> k;          ///< relative conductivity
};

/// Flow through a face in the axis's direction, m^3/s, and its derivatives with respect to the pressure heads of the
/// cells below and above it, m^2/s.
struct FaceFlow {
    double flow = 0;
    double per_low = 0;
    double per_high = 0;
};

constexpr auto no_cell = static_cast<std::size_t>(-1);

/// A face of this rank's cells. A side of the box has no cell beyond it.
struct Face {
    std::size_t axis = 0;
    std::size_t low = no_cell;  ///< the cells below and above it, among the ghosted ones
    std::size_t high = no_cell;
    std::size_t own_low = no_cell;  ///< the same among this rank's, unless they are another's
    std::size_t own_high = no_cell;
    double z = 0;  ///< of its centre, m

    [[nodiscard]] bool is_inside() const { return low != no_cell && high != no_cell; }

    /// Index into Sides. Only for those at a side.
    [[nodiscard]] std::size_t side() const { return 2 * axis + (high == no_cell ? 1 : 0); }
};

/// Calls visit(Face) for each face of the block's cells across an axis: x fastest, one more layer of faces than of
/// cells.
template <class Visit>
void each_face_across(Box const& box, Block const& block, std::size_t axis, Visit visit) {
    Triple const unit{axis == 0 ? 1 : 0, axis == 1 ? 1 : 0, axis == 2 ? 1 : 0};
    auto const down = [](std::size_t from, Index distance) { return from - static_cast<std::size_t>(distance); };
    auto const step = unit[0] + block.ghosted[0] * (unit[1] + block.ghosted[1] * unit[2]);
    auto const own_step = unit[0] + block.cells[0] * (unit[1] + block.cells[1] * unit[2]);
    auto const& n = block.cells;
    auto const z0 = axis == 2 ? 0.0 : 0.5;
    Face face{.axis = axis};
    for (Index k = 0; k < n[2] + unit[2]; ++k) {
        face.z = (static_cast<double>(block.start[2] + k) + z0) * box.edges[2];
        for (Index j = 0; j < n[1] + unit[1]; ++j) {
            auto here = block.at({block.start[0], block.start[1] + j, block.start[2] + k});
            auto own = static_cast<std::size_t>(n[0] * (j + n[1] * k));
            for (Index i = 0; i < n[0] + unit[0]; ++i, ++here, ++own) {
                auto const along = axis == 0 ? i : axis == 1 ? j : k;
                auto const in_box = block.start[axis] + along;
                face.low = in_box > 0 ? down(here, step) : no_cell;
                face.high = in_box < box.cells[axis] ? here : no_cell;
                face.own_low = along > 0 ? down(own, own_step) : no_cell;
                face.own_high = along < n[axis] ? own : no_cell;
                visit(face);
            }
        }
    }
}

/// Darcy's law (1856) for unsaturated soil (Buckingham 1907) between the cells of a block: flow = -A K k grad(psi + z),
/// the saturated conductivity K by the harmonic mean, the relative one k as FaceMean says. Local and pure.
class Darcy {
  public:
    /// Saturated conductivities (m/s) and soils are of ghosted cells.
    Darcy(Box const&, Block const&, Flow, std::vector<double> conductivity, std::vector<std::size_t> soil);

    /// Calls visit(Face, FaceFlow) for each face of this rank's cells, axis by axis.
    template <class Visit>
    void each_face(Heads const& heads, Visit visit) const {
        for (std::size_t axis = 0; axis < axes; ++axis) {
            each_face_across(box_, block_, axis, [&](Face const& face) {
                visit(face, face.is_inside() ? between(face, heads) : at_side(face, heads));
            });
        }
    }

    [[nodiscard]] Soil const& soil(std::size_t ghosted_cell) const { return flow_.soils[soil_[ghosted_cell]]; }
    [[nodiscard]] Flow const& flow() const { return flow_; }

  private:
    [[nodiscard]] FaceFlow between(Face const&, Heads const&) const;
    [[nodiscard]] FaceFlow at_side(Face const&, Heads const&) const;

    Box box_;
    Block block_;
    Flow flow_;
    std::vector<double> conductivity_;
    std::vector<std::size_t> soil_;
    std::array<double, axes> rise_{};  ///< from a cell's centre to the next one's, along each axis
};

}  // namespace weir::aquifer
