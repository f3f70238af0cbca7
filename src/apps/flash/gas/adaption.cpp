#include "apps/flash/gas/adaption.hpp"

#include <algorithm>

#include "apps/flash/gas/loehner.hpp"
#include "apps/flash/gas/two_levels.hpp"

namespace weir::flash {
namespace {

/// What an error asks for. Ordered so that the greatest of all ranks is that of the block's own.
enum Wish : std::uint64_t { unknown, smaller_is_enough, stay, more };

Wish wish_of(double error) { return error > refine_above ? more : error > coarsen_below ? stay : smaller_is_enough; }

}  // namespace

std::vector<Mark> marks_of(Blocks const& blocks, Surroundings& surroundings, double gamma) {
    surroundings.exchange(blocks);
    auto const& tree = blocks.tree();
    std::vector<std::uint64_t> wishes(tree.size(), unknown);
    for (auto b = blocks.first(); b < blocks.end(); ++b) {
        auto const cells = surroundings.around(blocks, b, gamma);
        wishes[b] =
            wish_of(std::max(loehner_error(cells, density, blocks.n()), loehner_error(cells, pressure, blocks.n())));
    }
    blocks.comm().max(wishes);
    std::vector<Mark> marks(tree.size(), Mark::keep);
    for (std::size_t b = 0; b < tree.size(); ++b) {
        auto const parent = tree.parent(b);
        if (wishes[b] == more) {
            marks[b] = Mark::refine;
        } else if (wishes[b] == smaller_is_enough && parent && wishes[*parent] == smaller_is_enough) {
            marks[b] = Mark::coarsen;
        }
    }
    return marks;
}

namespace {

constexpr Index itself = -1;  ///< as a piece's `low[0]`: a whole block; otherwise its child of this number

std::vector<BlockPiece> pieces_for(Blocks const& to, Tree const& from) {
    std::vector<BlockPiece> pieces;
    for (auto b = to.first(); b < to.end(); ++b) {
        auto const position = to.tree().position(b);
        auto const same = from.find(position);
        Triple const size = to.interior().high;
        auto const k = to.tree().which_child(b) - 1;
        pieces.push_back(same ? BlockPiece{*same, {itself, 0, 0}, size}
                              : BlockPiece{from.find(parent_of(position)).value(), {k, 0, 0}, size});
    }
    return pieces;
}

}  // namespace

Blocks moved_to(Tree tree, Blocks const& old, Surroundings& surroundings, double gamma) {
    Blocks blocks(old.comm(), std::move(tree), old.n());
    Gather gather(old, pieces_for(blocks, old.tree()));
    auto const half = old.n() / 2;
    auto const give = [&](BlockPiece const& piece, double* to) {
        auto const target = contiguous(to, old.interior());
        auto const k = piece.low[0];
        if (k == itself) {
            copy(old.cells(piece.block), old.interior(), target);
            return;
        }
        auto const parent = surroundings.around(old, piece.block, gamma);
        interpolate(parent.moved({k % 2 * half, k / 2 % 2 * half, k / 4 * half}), {{0, 0, 0}, {half, half, half}},
                    target, gamma);
    };
    gather.exchange(give);
    for (auto b = blocks.first(); b < blocks.end(); ++b) {
        copy(contiguous(gather.get(b - blocks.first(), give), old.interior()), old.interior(), blocks.cells(b));
    }
    return blocks;
}

}  // namespace weir::flash
