#include "apps/flash/gas/cells.hpp"

namespace weir::flash {

void copy(View<double const> const& from, CellBox const& box, View<double> const& to) {
    auto const [nx, ny, nz] = box.size();
    for (std::size_t v = 0; v < variables; ++v) {
        for (Index k = 0; k < nz; ++k) {
            for (Index j = 0; j < ny; ++j) {
                Triple const row{box.low[0], box.low[1] + j, box.low[2] + k};
                auto const* const source = from.at(v, row);
                auto* const target = to.at(v, row);
                for (Index i = 0; i < nx; ++i) {
                    target[i * to.stride[0]] = source[i * from.stride[0]];
                }
            }
        }
    }
}

}  // namespace weir::flash
