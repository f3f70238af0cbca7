#include "apps/flash/gas/blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/error.hpp"

namespace weir::flash {

Blocks::Blocks(Communicator comm, Tree tree, Index n) : comm_(std::move(comm)), tree_(std::move(tree)), n_(n) {
    validate(n >= 2 * guards && n % 2 == 0, fmt::format("a block of {}^3 cells cannot be computed", n),
             fmt::format("its parent holds means of pairs, and its neighbours need {} pairs of them", guards),
             "Take an even number, 8 or more.");
    firsts_.push_back(0);
    for (auto const count : tree_.counts(comm_.size())) {
        firsts_.push_back(firsts_.back() + count);
    }
    values_.assign((end() - first()) * variables * static_cast<std::size_t>(n * n * n), 0.0);
}

std::vector<std::size_t> Blocks::leaves() const {
    std::vector<std::size_t> leaves;
    for (auto b = first(); b < end(); ++b) {
        if (tree_.is_leaf(b)) {
            leaves.push_back(b);
        }
    }
    return leaves;
}

std::uint64_t Blocks::owner(std::size_t any) const {
    return static_cast<std::uint64_t>(std::ranges::upper_bound(firsts_, any) - firsts_.begin()) - 1;
}

std::span<double const> Blocks::values(std::size_t b, std::size_t variable) const {
    auto const cells = static_cast<std::size_t>(n_ * n_ * n_);
    return std::span(values_).subspan(((b - first()) * variables + variable) * cells, cells);
}

std::span<double> Blocks::values(std::size_t b, std::size_t variable) {
    auto const here = std::as_const(*this).values(b, variable);
    return {values_.data() + (here.data() - values_.data()), here.size()};
}

Corner Blocks::centre(std::size_t any, Triple const& cell) const {
    auto const h = spacing(any);
    auto const low = tree_.lower_corner(any);
    Corner centre{};
    for (std::size_t a = 0; a < axes; ++a) {
        centre[a] = low[a] + (static_cast<double>(cell[a]) + 0.5) * h;
    }
    return centre;
}

}  // namespace weir::flash
