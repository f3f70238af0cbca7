#include "apps/flash/gas/parents.hpp"

#include <utility>

#include "apps/flash/gas/two_levels.hpp"

namespace weir::flash {

Parents::Parents(Blocks const& blocks) {
    auto const& tree = blocks.tree();
    auto const half = blocks.n() / 2;
    for (auto level = tree.levels() - 2; level >= 0; --level) {
        std::vector<std::size_t> parents;
        std::vector<BlockPiece> pieces;
        for (auto b = blocks.first(); b < blocks.end(); ++b) {
            if (tree.level(b) == level && !tree.is_leaf(b)) {
                parents.push_back(b);
                for (int k = 0; k < children; ++k) {
                    pieces.push_back({*tree.child(b, k), {}, {half, half, half}});
                }
            }
        }
        levels_.push_back({std::move(parents), Gather(blocks, std::move(pieces))});
    }
}

void Parents::fill(Blocks& blocks, double gamma) {
    auto const half = blocks.n() / 2;
    CellBox const octant{{0, 0, 0}, {half, half, half}};
    auto const give = [&](BlockPiece const& piece, double* to) {
        average(std::as_const(blocks).cells(piece.block), octant, contiguous(to, octant), gamma);
    };
    for (auto& level : levels_) {
        level.children.exchange(give);
        for (std::size_t p = 0; p < level.parents.size(); ++p) {
            auto const parent = blocks.cells(level.parents[p]);
            for (std::size_t k = 0; k < children; ++k) {
                auto const from = contiguous(level.children.get(p * children + k, give), octant);
                auto const i = static_cast<Index>(k);
                Triple const corner{i % 2 * half, i / 2 % 2 * half, i / 4 * half};
                copy(from, octant, parent.moved(corner));
            }
        }
    }
}

}  // namespace weir::flash
