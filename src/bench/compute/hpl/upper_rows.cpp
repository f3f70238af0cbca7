#include "bench/compute/hpl/upper_rows.hpp"

#include <algorithm>

namespace weir {

/// Column by column of L X = 1, which only has entries at and below the diagonal.
void UpperRows::prepare(Panel const& panel) {
    auto const blocks = (panel.width + block - 1) / block;
    inverse_.assign(blocks * block * block, 0.0);
    for (std::uint64_t begin = 0; begin < panel.width; begin += block) {
        auto const size = std::min(block, panel.width - begin);
        for (std::uint64_t column = 0; column < size; ++column) {
            auto* const x = inverse_.data() + (begin + column) * block;
            x[column] = 1;
            for (auto known = column; known < size; ++known) {
                auto const* const l = panel.top(begin + known) + begin;
                for (auto row = known + 1; row < size; ++row) {
                    x[row] -= l[row] * x[known];
                }
            }
        }
    }
}

void UpperRows::solve(Blas const& blas, Panel const& panel, double* rows, std::uint64_t columns, double* to,
                      std::uint64_t ld) const {
    auto const width = panel.width;
    for (std::uint64_t first = 0; first < columns; first += in_cache) {
        auto const some = std::min(in_cache, columns - first);
        auto* const from = rows + first * width;
        auto* const into = to + first * ld;
        for (std::uint64_t begin = 0; begin < width; begin += block) {
            auto const size = std::min(block, width - begin);
            auto const end = begin + size;
            blas.gemm(size, some, size, 1.0, inverse_.data() + begin * block, block, from + begin, width, 0.0,
                      into + begin, ld);
            blas.gemm(width - end, some, size, -1.0, panel.top(begin) + end, width, into + begin, ld, 1.0, from + end,
                      width);
        }
    }
}

}  // namespace weir
