#include "bench/compute/hpl/upper_rows.hpp"

#include <algorithm>

namespace weir {

/// Row by row of X L = 1, each from those above.
void UpperRows::prepare(Panel const& panel) {
    auto const blocks = (panel.width + block - 1) / block;
    inverse_.assign(blocks * block * block, 0.0);
    for (std::uint64_t begin = 0; begin < panel.width; begin += block) {
        auto const size = std::min(block, panel.width - begin);
        auto const inverse = [&](std::uint64_t row) { return inverse_.data() + (begin + row) * block; };
        for (std::uint64_t row = 0; row < size; ++row) {
            auto const* const l = panel.top(begin + row) + begin;
            auto* const x = inverse(row);
            for (std::uint64_t known = 0; known < row; ++known) {
                for (std::uint64_t column = 0; column <= known; ++column) {
                    x[column] -= l[known] * inverse(known)[column];
                }
            }
            x[row] = 1;
        }
    }
}

/// To a BLAS that has matrices column by column, these are products of the transposed ones.
void UpperRows::solve(Blas const& blas, Panel const& panel, std::uint64_t columns, double* from,
                      std::uint64_t from_apart, double* to, std::uint64_t to_apart) const {
    auto const width = panel.width;
    for (std::uint64_t first = 0; first < columns; first += in_cache) {
        auto const some = std::min(in_cache, columns - first);
        for (std::uint64_t begin = 0; begin < width; begin += block) {
            auto const size = std::min(block, width - begin);
            auto const end = begin + size;
            auto* const solved = to + begin * to_apart + first;
            blas.gemm(some, size, size, 1.0, from + begin * from_apart + first, from_apart,
                      inverse_.data() + begin * block, block, 0.0, solved, to_apart);
            blas.gemm(some, width - end, size, -1.0, solved, to_apart, panel.top(end) + begin, width, 1.0,
                      from + end * from_apart + first, from_apart);
        }
    }
}

}  // namespace weir
