#include "bench/compute/hpl/hpl_memory.hpp"

#include <algorithm>
#include <cmath>

#include "bench/compute/hpl/hpl_matrix.hpp"
#include "bench/compute/hpl/upper_rows.hpp"

namespace weir {

HplMemory::HplMemory(GridOptions const& grid, std::uint64_t ranks, std::uint64_t look_ahead)
    : block_(grid.largest_block()), rows_(grid.rows(ranks)), columns_(ranks / rows_), look_ahead_(look_ahead) {}

std::uint64_t HplMemory::bytes(std::uint64_t order) const {
    auto const block = std::min(block_, order);
    auto const blocks = (order + block - 1) / block;
    auto const panels = (std::min(look_ahead_ + 1, blocks) + 2) * (order / rows_ + block);
    auto const upper = rows_ == 1 ? UpperRows::in_cache : 2 * (order / columns_ + block);
    return HplMatrix::bytes(order, block, rows_, columns_) + (panels + upper) * block * sizeof(double);
}

std::uint64_t HplMemory::order_of_matrix(std::uint64_t bytes_of_rank) const {
    auto const all = static_cast<double>(bytes_of_rank) * static_cast<double>(rows_ * columns_);
    return in_blocks(static_cast<std::uint64_t>(std::sqrt(all / sizeof(double))));
}

std::uint64_t HplMemory::order_within(std::uint64_t bytes_of_rank) const {
    std::uint64_t fits = 1;
    for (auto too_large = order_of_matrix(bytes_of_rank) + block_ + 1; too_large - fits > 1;) {
        auto const middle = fits + (too_large - fits) / 2;
        (bytes(middle) <= bytes_of_rank ? fits : too_large) = middle;
    }
    return in_blocks(fits);
}

std::uint64_t HplMemory::in_blocks(std::uint64_t order) const {
    return std::max<std::uint64_t>(order < block_ ? order : order / block_ * block_, 1);
}

}  // namespace weir
