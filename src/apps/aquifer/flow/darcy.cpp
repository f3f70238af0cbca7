#include "apps/aquifer/flow/darcy.hpp"

#include <utility>

namespace weir::aquifer {

Darcy::Darcy(Box const& box, Block const& block, Flow flow, std::vector<double> conductivity,
             std::vector<std::size_t> soil)
    : box_(box),
      block_(block),
      flow_(std::move(flow)),
      conductivity_(std::move(conductivity)),
      soil_(std::move(soil)),
      rise_{0, 0, box.edges[2]} {}

FaceFlow Darcy::between(Face const& face, Heads const& heads) const {
    auto const low = conductivity_[face.low];
    auto const high = conductivity_[face.high];
    auto const through = box_.face_area(face.axis) / box_.edges[face.axis] * 2 * low * high / (low + high);  // m^2/s
    auto const drop = heads.pressure[face.low] - heads.pressure[face.high] - rise_[face.axis];
    auto const& below = heads.k[face.low];
    auto const& above = heads.k[face.high];
    if (flow_.mean == FaceMean::arithmetic) {
        auto const k = 0.5 * (below.value + above.value);
        return {through * k * drop, through * (k + 0.5 * below.per_head * drop),
                through * (-k + 0.5 * above.per_head * drop)};
    }
    if (drop >= 0) {
        return {through * below.value * drop, through * (below.value + below.per_head * drop), -through * below.value};
    }
    return {through * above.value * drop, through * above.value, through * (-above.value + above.per_head * drop)};
}

/// Half an edge from the cell's centre to the side, whose relative conductivity is that of its pressure.
FaceFlow Darcy::at_side(Face const& face, Heads const& heads) const {
    auto const& side = flow_.sides[face.side()];
    auto const is_low = face.low == no_cell;  // the side is below the cell
    auto const sign = is_low ? 1.0 : -1.0;    // of flow into the box, along the axis
    auto const area = box_.face_area(face.axis);
    if (side.kind == BoxSide::Condition::closed) {
        return {};
    }
    if (side.kind == BoxSide::Condition::inflow) {
        return {sign * side.value * area};
    }
    auto const cell = is_low ? face.high : face.low;
    auto const at_face = side.kind == BoxSide::Condition::pressure ? side.value : side.value - face.z;
    auto const through = 2 * conductivity_[cell] * area / box_.edges[face.axis];
    auto const climb = sign * 0.5 * rise_[face.axis];  // from the side up to the cell's centre
    auto const inwards = at_face - heads.pressure[cell] - climb;
    auto const outside = soil(cell).conductivity(at_face).value;
    auto const& inside = heads.k[cell];
    auto k = Slope{0.5 * (inside.value + outside), 0.5 * inside.per_head};
    if (flow_.mean == FaceMean::upstream) {
        k = inwards >= 0 ? Slope{outside, 0} : inside;
    }
    auto const flow = sign * through * k.value * inwards;
    auto const per_head = sign * through * (k.per_head * inwards - k.value);
    return is_low ? FaceFlow{flow, 0, per_head} : FaceFlow{flow, per_head, 0};
}

}  // namespace weir::aquifer
