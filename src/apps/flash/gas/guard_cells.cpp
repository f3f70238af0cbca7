#include "apps/flash/gas/guard_cells.hpp"

#include <algorithm>

#include "apps/flash/gas/two_levels.hpp"

namespace weir::flash {
namespace {

Direction inside_of(Direction direction, std::array<bool, axes> const& beyond) {
    for (std::size_t a = 0; a < axes; ++a) {
        direction[a] = beyond[a] ? 0 : direction[a];
    }
    return direction;
}

/// Cells [low, high) beside a block along an axis, to be taken from cells [from_low, from_high) of another.
struct Along {
    Index from_low, from_high, start, step;
};

Along within(Index low, Index high, Index shift) { return {low - shift, high - shift, 0, 1}; }

Along beyond(Boundary boundary, int side, Index low, Index high, Index n) {
    if (boundary == Boundary::outflow) {
        auto const outermost = side < 0 ? 0 : n - 1;
        return {outermost, outermost + 1, 0, 0};
    }
    auto const mirror = side < 0 ? 0 : 2 * n;  // twice the boundary's place
    return {mirror - high, mirror - low, high - low - 1, -1};
}

CellBox box_of(BlockPiece const& piece) {
    auto const& [block, low, size] = piece;
    return {low, {low[0] + size[0], low[1] + size[1], low[2] + size[2]}};
}

}  // namespace

std::vector<Direction> all_around() {
    std::vector<Direction> directions;
    for_cells({{-1, -1, -1}, {2, 2, 2}}, [&](Triple const& d) {
        if (d != Triple{0, 0, 0}) {
            directions.push_back({static_cast<int>(d[0]), static_cast<int>(d[1]), static_cast<int>(d[2])});
        }
    });
    return directions;
}

GuardCells::GuardCells(Blocks const& blocks, std::vector<std::size_t> const& of,
                       std::vector<Direction> const& directions) {
    for (auto const b : of) {
        for (auto const& direction : directions) {
            add(blocks, b, direction);
        }
    }
    sources_.push_back({pieces_.size(), false, {}, {}});
    gather_.emplace_back(blocks, pieces_);
}

void GuardCells::add(Blocks const& blocks, std::size_t b, Direction const& direction) {
    auto const& tree = blocks.tree();
    auto const n = blocks.n();
    CellBox cells;
    for (std::size_t a = 0; a < axes; ++a) {
        cells.low[a] = direction[a] < 0 ? -guards : direction[a] > 0 ? n : 0;
        cells.high[a] = direction[a] < 0 ? 0 : direction[a] > 0 ? n + guards : n;
    }
    regions_.push_back({b, direction, cells});
    auto const inside = inside_of(direction, tree.neighbour(b, direction).beyond);
    if (tree.neighbour(b, inside).kind == Neighbour::Relation::same) {
        sources_.push_back({pieces_.size(), false, {}, {}});
        add_piece(blocks, b, cells, direction);
        return;
    }
    GuardSource source{pieces_.size(), true, {}, {}};
    for (std::size_t a = 0; a < axes; ++a) {
        source.shift[a] = tree.position(b).at[a] % 2 * n / 2;
        source.patch.low[a] = source.shift[a] + cells.low[a] / 2 - 1;  // one more for slopes
        source.patch.high[a] = source.shift[a] + cells.high[a] / 2 + 1;
    }
    sources_.push_back(source);
    add_patch(blocks, *tree.parent(b), source.patch);
}

void GuardCells::add_patch(Blocks const& blocks, std::size_t parent, CellBox const& patch) {
    auto const n = blocks.n();
    for_cells({{-1, -1, -1}, {2, 2, 2}}, [&](Triple const& d) {
        CellBox part;
        for (std::size_t a = 0; a < axes; ++a) {
            part.low[a] = std::max(patch.low[a], d[a] * n);
            part.high[a] = std::min(patch.high[a], (d[a] + 1) * n);
            if (part.low[a] >= part.high[a]) {
                return;
            }
        }
        add_piece(blocks, parent, part, {static_cast<int>(d[0]), static_cast<int>(d[1]), static_cast<int>(d[2])});
    });
}

void GuardCells::add_piece(Blocks const& blocks, std::size_t b, CellBox const& cells, Direction const& direction) {
    auto const& tree = blocks.tree();
    auto const outside = tree.neighbour(b, direction).beyond;
    BlockPiece piece{tree.neighbour(b, inside_of(direction, outside)).block, {}, {}};
    PiecePlacement placement{cells, {}, {}, {}};
    for (std::size_t a = 0; a < axes; ++a) {
        auto const along = outside[a]
                               ? beyond(tree.boundaries()[a], direction[a], cells.low[a], cells.high[a], blocks.n())
                               : within(cells.low[a], cells.high[a], direction[a] * blocks.n());
        piece.low[a] = along.from_low;
        piece.size[a] = along.from_high - along.from_low;
        placement.start[a] = along.start;
        placement.step[a] = along.step;
        placement.mirrored[a] = along.step < 0;
    }
    pieces_.push_back(piece);
    placements_.push_back(placement);
}

void GuardCells::exchange(Blocks const& blocks) {
    gather_[0].exchange([&](BlockPiece const& piece, double* to) {
        copy(blocks.cells(piece.block), box_of(piece), contiguous(to, box_of(piece)));
    });
}

void GuardCells::place(Blocks const& blocks, std::size_t i, View<double> const& to) {
    auto const& piece = pieces_[i];
    auto const from =
        blocks.is_here(piece.block) ? blocks.cells(piece.block) : contiguous(gather_[0].received(i), box_of(piece));
    auto const& [box, start, sign, mirrored] = placements_[i];
    Triple first{};
    Triple step{};
    for (std::size_t a = 0; a < axes; ++a) {
        first[a] = piece.low[a] + start[a];
        step[a] = sign[a] * from.stride[a];
    }
    auto const [nx, ny, nz] = box.size();
    for (std::size_t v = 0; v < variables; ++v) {
        auto const turned = v >= velocity_x && v <= velocity_z && mirrored[v - velocity_x];
        auto const* const source = from.at(v, first);
        auto* const target = to.at(v, box.low);
        for (Index k = 0; k < nz; ++k) {
            for (Index j = 0; j < ny; ++j) {
                auto const* const cells = source + j * step[1] + k * step[2];
                auto* const row = target + j * to.stride[1] + k * to.stride[2];
                for (Index i_x = 0; i_x < nx; ++i_x) {
                    row[i_x * to.stride[0]] = turned ? -cells[i_x * step[0]] : cells[i_x * step[0]];
                }
            }
        }
    }
}

void GuardCells::fill(Blocks const& blocks, std::size_t i, View<double> const& to, double gamma) {
    auto const& source = sources_[i];
    if (!source.coarse) {
        place(blocks, source.first_piece, to);
        return;
    }
    patch_.resize(variables * static_cast<std::size_t>(volume(source.patch.size())));
    auto const patch = contiguous(patch_.data(), source.patch);
    for (auto piece = source.first_piece; piece < sources_[i + 1].first_piece; ++piece) {
        place(blocks, piece, patch);
    }
    CellBox cells;
    for (std::size_t a = 0; a < axes; ++a) {
        cells.low[a] = regions_[i].cells.low[a] / 2;
        cells.high[a] = regions_[i].cells.high[a] / 2;
    }
    interpolate(patch.moved(source.shift), cells, to, gamma);
}

}  // namespace weir::flash
