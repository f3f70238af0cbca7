#include "apps/flash/gas/totals.hpp"

#include <algorithm>
#include <cmath>

#include "apps/common/gas/ordered_sum.hpp"

namespace weir::flash {

LeafTotals totals_of(Blocks const& blocks, double gamma) {
    Doubles mass;
    Doubles energy;
    for (auto const b : blocks.leaves()) {
        State sum{};
        auto const cells = blocks.cells(b);
        for_cells(blocks.interior(), [&](Triple const& cell) {
            auto const state = conserved(cells.state(cell), gamma);
            sum[density] += state[density];
            sum[pressure] += state[pressure];
        });
        auto const cell = std::pow(blocks.spacing(b), 3);
        mass.push_back(cell * sum[density]);
        energy.push_back(cell * sum[pressure]);
    }
    auto const count = static_cast<double>(blocks.tree().size());
    return {ordered_sum(blocks.comm(), mass, count), ordered_sum(blocks.comm(), energy, count)};
}

namespace {

constexpr double resolution = 1U << 28U;  ///< of densities in sums of integers, which no order changes

/// Sums of the finest cells' densities in shells, then their numbers. A coarse cell counts as those that it could have.
std::vector<std::uint64_t> shells(Blocks const& blocks, Corner const& centre, double h) {
    auto const& tree = blocks.tree();
    auto const longest = *std::ranges::max_element(tree.roots());
    auto const count = static_cast<std::size_t>(2 * static_cast<double>(longest) * tree.edge(0) / h) + 1;
    std::vector<std::uint64_t> sums(2 * count);
    for (auto const b : blocks.leaves()) {
        auto const share = std::uint64_t{1} << static_cast<unsigned>(3 * (tree.levels() - 1 - tree.level(b)));
        auto const cells = blocks.cells(b);
        for_cells(blocks.interior(), [&](Triple const& cell) {
            auto const at = blocks.centre(b, cell);
            auto const r = std::hypot(at[0] - centre[0], at[1] - centre[1], at[2] - centre[2]);
            auto const shell = std::min(static_cast<std::size_t>(r / h), count - 1);
            sums[shell] += share * static_cast<std::uint64_t>(std::llround(resolution * *cells.at(density, cell)));
            sums[count + shell] += share;
        });
    }
    return sums;
}

}  // namespace

double shock_radius(Blocks const& blocks, Corner const& centre) {
    auto const h = blocks.tree().edge(0) / static_cast<double>(blocks.n() << (blocks.tree().levels() - 1));
    auto sums = shells(blocks, centre, h);
    blocks.comm().sum(sums);
    std::vector<double> radius;
    std::vector<double> mean;
    auto const count = sums.size() / 2;
    for (std::size_t i = 0; i < count; ++i) {
        if (sums[count + i] > 0) {
            radius.push_back((static_cast<double>(i) + 0.5) * h);
            mean.push_back(static_cast<double>(sums[i]) / resolution / static_cast<double>(sums[count + i]));
        }
    }
    auto const peak = std::ranges::max_element(mean);
    auto const half = 0.5 * (1 + *peak);
    auto const outside = std::find_if(peak, mean.end(), [&](double rho) { return rho < half; });
    if (outside == mean.end() || outside == mean.begin()) {
        return 0;
    }
    auto const i = static_cast<std::size_t>(outside - mean.begin());
    return radius[i] - (radius[i] - radius[i - 1]) * (half - mean[i]) / (mean[i - 1] - mean[i]);
}

}  // namespace weir::flash
