#include "apps/template/heat.hpp"

#include <cmath>
#include <numbers>
#include <utility>

namespace weir::heat {

Heat::Heat(Communicator const& comm, Triple const& cells)
    : where_(comm, {cells, 1.0 / static_cast<double>(cells[0])}),
      now_(where_.cells()),
      next_(where_.cells()),
      halo_(where_, where_.cells()) {
    auto const h = where_.grid().spacing;
    dt_ = h * h / 12;
    Index at = 0;
    each_cell([&](double& u) {
        auto const& n = where_.cells();
        Triple const cell{at % n[0], at / n[0] % n[1], at / n[0] / n[1]};
        ++at;
        u = 1;
        double wave = 1;
        for (std::size_t a = 0; a < axes; ++a) {
            auto const x = (static_cast<double>(where_.start()[a] + cell[a]) + 0.5) / static_cast<double>(cells[a]);
            wave *= std::sin(2 * std::numbers::pi * x);
        }
        u += wave;
    });
}

void Heat::advance() {
    halo_.fill(now_, GhostLayers::faces);
    auto const& n = where_.cells();
    auto const row = now_.row_stride();
    auto const plane = now_.plane_stride();
    auto const factor = dt_ / (where_.grid().spacing * where_.grid().spacing);
    for (Index k = 0; k < n[2]; ++k) {
        for (Index j = 0; j < n[1]; ++j) {
            auto const* const u = now_.row(j, k);
            auto* const next = next_.row(j, k);
            for (Index i = 0; i < n[0]; ++i) {
                auto const around = (u[i - 1] + u[i + 1]) + (u[i - row] + u[i + row]) + (u[i - plane] + u[i + plane]);
                next[i] = u[i] + factor * (around - 6 * u[i]);
            }
        }
    }
    std::swap(now_, next_);
}

}  // namespace weir::heat
