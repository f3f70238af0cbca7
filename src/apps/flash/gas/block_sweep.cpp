#include "apps/flash/gas/block_sweep.hpp"

#include <algorithm>
#include <cmath>

#include "core/rank_progress.hpp"

namespace weir::flash {
namespace {

std::vector<Direction> both_sides(std::size_t axis) {
    std::vector<Direction> sides(2, Direction{});
    sides[0][axis] = -1;
    sides[1][axis] = 1;
    return sides;
}

}  // namespace

BlockSweep::BlockSweep(Blocks const& blocks, std::size_t axis)
    : n_(blocks.n()),
      axis_(axis),
      inner_axis_(axis == 0 ? 1 : 0),
      outer_axis_(axis == 2 ? 1 : 2),
      leaves_(blocks.leaves()),
      guard_cells_(blocks, leaves_, both_sides(axis)),
      guards_(leaves_.size() * 2 * variables * static_cast<std::size_t>(guards * n_ * n_)),
      registers_(leaves_.size()),
      at_boundary_(leaves_.size()),
      left_(leaves_.size()),
      pencils_(n_) {
    std::vector<BlockPiece> pieces;
    add_registers(blocks, pieces);
    fine_.emplace_back(blocks, std::move(pieces));
}

void BlockSweep::add_registers(Blocks const& blocks, std::vector<BlockPiece>& pieces) {
    auto const& tree = blocks.tree();
    auto const half = n_ / 2;
    auto const add = [&](Register::Content kind, Index cells) {
        Register const added{kind, fluxes_.size()};
        fluxes_.resize(fluxes_.size() + variables * static_cast<std::size_t>(cells));
        return added;
    };
    for (std::size_t leaf = 0; leaf < leaves_.size(); ++leaf) {
        for (auto const side : {low, high}) {
            auto const beside = tree.neighbour(leaves_[leaf], both_sides(axis_)[side]);
            at_boundary_[leaf][side] = beside.kind == Neighbour::Relation::outside;
            if (beside.kind == Neighbour::Relation::coarser) {
                registers_[leaf][side] = add(Register::Content::mean_of_fine, half * half);
            }
            if (beside.kind != Neighbour::Relation::same || tree.is_leaf(beside.block)) {
                continue;
            }
            registers_[leaf][side] = add(Register::Content::own, n_ * n_);
            for (int k = 0; k < children; ++k) {
                auto const bit = [&](std::size_t a) { return static_cast<Index>(k) >> a & 1; };
                if (bit(axis_) == (side == low ? 1 : 0)) {
                    quarters_.push_back({leaf, side, bit(outer_axis_) * half, bit(inner_axis_) * half});
                    auto const its_side = side == low ? high : low;
                    pieces.push_back(
                        {*tree.child(beside.block, k), {static_cast<Index>(its_side), 0, 0}, {half, half, 1}});
                }
            }
        }
    }
}

std::optional<BadCell> BlockSweep::run(Blocks& blocks, double dt, gas::Gas const& gas) {
    bad_.reset();
    guard_cells_.exchange(blocks);
    load_guards(blocks, gas.gamma);
    std::ranges::fill(fluxes_, 0.0);
    for (std::size_t leaf = 0; leaf < leaves_.size(); ++leaf) {
        sweep_block(blocks, leaf, dt, gas);
        note_step();
    }
    correct(blocks, dt, gas.gamma);
    return bad_;
}

View<double> BlockSweep::guards_of(std::size_t region) {
    auto const layers = guards * n_;
    View<double> view{guards_.data(), guard_cells_.regions()[region].cells.low, {}, 2 * layers};
    auto const leaf = static_cast<Index>(region / 2);
    view.data += leaf * n_ * static_cast<Index>(variables) * view.apart + (region % 2 == 0 ? 0 : layers);
    view.stride[axis_] = n_;
    view.stride[outer_axis_] = static_cast<Index>(variables) * view.apart;
    view.stride[inner_axis_] = 1;
    return view;
}

/// All of them before any block is swept: they are the state before the sweep.
void BlockSweep::load_guards(Blocks const& blocks, double gamma) {
    for (std::size_t region = 0; region < guard_cells_.regions().size(); ++region) {
        guard_cells_.fill(blocks, region, guards_of(region), gamma);
    }
}

Triple BlockSweep::cell(Index along, Index outer, Index inner) const {
    Triple cell{};
    cell[axis_] = along;
    cell[outer_axis_] = outer;
    cell[inner_axis_] = inner;
    return cell;
}

void BlockSweep::load(View<double> const& cells, std::size_t leaf, Index outer, Index inner) {
    auto const order = gas::order_along(axis_);
    for (std::size_t v = 0; v < variables; ++v) {
        auto* const to = pencils_.mean[v];
        gas::load_cells(to, cells.at(order[v], cell(0, outer, inner)), n_, cells.stride[axis_],
                        cells.stride[inner_axis_], pencils_.used);
        for (auto const side : {low, high}) {
            auto const view = guards_of(2 * leaf + side);
            auto const first = side == low ? -guards : n_;
            gas::load_cells(to + first * gas::lanes, view.at(order[v], cell(first, outer, inner)), guards,
                            view.stride[axis_], 1, pencils_.used);
        }
    }
}

void BlockSweep::sweep_block(Blocks& blocks, std::size_t leaf, double dt, gas::Gas const& gas) {
    auto const b = leaves_[leaf];
    auto const cells = blocks.cells(b);
    auto const order = gas::order_along(axis_);
    for (Index outer = 0; outer < n_; ++outer) {
        for (Index inner = 0; inner < n_; inner += gas::lanes) {
            pencils_.used = std::min(gas::lanes, n_ - inner);
            load(cells, leaf, outer, inner);
            gas::sweep(pencils_, dt / blocks.spacing(b), gas);
            if (!pencils_.sound && !bad_) {
                auto const [along, lane] = gas::first_unsound(pencils_);
                bad_ = {b, cell(along, outer, inner + lane)};
            }
            for (std::size_t v = 0; v < variables; ++v) {
                gas::store_cells(pencils_.mean[v], cells.at(order[v], cell(0, outer, inner)), n_, cells.stride[axis_],
                                 cells.stride[inner_axis_], pencils_.used);
            }
            record(registers_[leaf][low], 0, outer, inner);
            record(registers_[leaf][high], n_, outer, inner);
            count_out(leaf, dt * blocks.spacing(b) * blocks.spacing(b));
        }
    }
}

void BlockSweep::record(Register const& to, Index face, Index outer, Index inner) {
    if (to.kind == Register::Content::none) {
        return;
    }
    auto const part = to.kind == Register::Content::own ? 1 : 2;
    auto const n = n_ / part;
    for (std::size_t v = 0; v < variables; ++v) {
        auto* const sums = fluxes_.data() + to.first + static_cast<Index>(v) * n * n + outer / part * n;
        for (Index l = 0; l < pencils_.used; ++l) {
            sums[(inner + l) / part] += pencils_.high[v][face * gas::lanes + l] / (part * part);
        }
    }
}

/// `faces`: the area of a cell's face, times the step.
void BlockSweep::count_out(std::size_t leaf, double faces) {
    for (auto const side : {low, high}) {
        if (!at_boundary_[leaf][side]) {
            continue;
        }
        auto const out = side == low ? -faces : faces;
        auto const first = (side == low ? 0 : n_) * gas::lanes;
        for (Index l = 0; l < pencils_.used; ++l) {
            left_[leaf].mass += out * pencils_.high[density][first + l];
            left_[leaf].energy += out * pencils_.high[pressure][first + l];
        }
    }
}

void BlockSweep::correct(Blocks& blocks, double dt, double gamma) {
    auto const give = [&](BlockPiece const& piece, double* to) {
        auto const leaf = std::ranges::lower_bound(leaves_, piece.block) - leaves_.begin();
        auto const from = registers_[static_cast<std::size_t>(leaf)][static_cast<std::size_t>(piece.low[0])].first;
        std::copy_n(fluxes_.data() + from, static_cast<Index>(variables) * volume(piece.size), to);
    };
    fine_[0].exchange(give);
    for (std::size_t q = 0; q < quarters_.size(); ++q) {
        correct(blocks, quarters_[q], fine_[0].get(q, give), dt, gamma);
    }
}

void BlockSweep::correct(Blocks& blocks, Quarter const& quarter, double const* fine, double dt, double gamma) {
    auto const b = leaves_[quarter.leaf];
    auto const half = n_ / 2;
    auto const* const own = fluxes_.data() + registers_[quarter.leaf][quarter.side].first;
    auto const order = gas::order_along(axis_);
    auto const into = (quarter.side == low ? dt : -dt) / blocks.spacing(b);
    auto const cells = blocks.cells(b);
    for (Index o = 0; o < half; ++o) {
        for (Index i = 0; i < half; ++i) {
            auto const at = cell(quarter.side == low ? 0 : n_ - 1, quarter.outer + o, quarter.inner + i);
            auto state = conserved(cells.state(at), gamma);
            for (std::size_t v = 0; v < variables; ++v) {
                auto const k = static_cast<Index>(v);
                auto const mine = own[(k * n_ + quarter.outer + o) * n_ + quarter.inner + i];
                state[order[v]] += into * (fine[(k * half + o) * half + i] - mine);
            }
            auto const corrected = primitive(state, gamma);
            if (!(corrected[density] > 0 && corrected[pressure] > 0) && !bad_) {
                bad_ = {b, at};
            }
            cells.set(at, corrected);
        }
    }
}

}  // namespace weir::flash
