#include "apps/flash/gas/surroundings.hpp"

#include <numeric>

namespace weir::flash {
namespace {

std::vector<std::size_t> all_of(Blocks const& blocks) {
    std::vector<std::size_t> all(blocks.end() - blocks.first());
    std::iota(all.begin(), all.end(), blocks.first());
    return all;
}

}  // namespace

Surroundings::Surroundings(Blocks const& blocks)
    : guard_cells_(blocks, all_of(blocks), all_around()),
      box_{{-guards, -guards, -guards}, {blocks.n() + guards, blocks.n() + guards, blocks.n() + guards}},
      cells_(variables * static_cast<std::size_t>(volume(box_.size()))) {}

View<double const> Surroundings::around(Blocks const& blocks, std::size_t b, double gamma) {
    auto const cells = contiguous(cells_.data(), box_);
    copy(blocks.cells(b), blocks.interior(), cells);
    auto const regions = all_around().size();
    for (auto i = (b - blocks.first()) * regions; i < (b - blocks.first() + 1) * regions; ++i) {
        guard_cells_.fill(blocks, i, cells, gamma);
    }
    return cells;
}

}  // namespace weir::flash
