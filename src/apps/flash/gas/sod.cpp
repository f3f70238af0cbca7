#include "apps/flash/gas/sod.hpp"

namespace weir::flash {

void fill_sod(Blocks& blocks, Sod const& sod) {
    for (auto const b : blocks.leaves()) {
        auto const cells = blocks.cells(b);
        for_cells(blocks.interior(), [&](Triple const& cell) {
            auto const is_left = blocks.centre(b, cell)[0] < sod.place;
            cells.set(cell, is_left ? State{sod.left_density, 0, 0, 0, sod.left_pressure}
                                    : State{sod.right_density, 0, 0, 0, sod.right_pressure});
        });
    }
}

}  // namespace weir::flash
