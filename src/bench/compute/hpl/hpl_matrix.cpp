#include "bench/compute/hpl/hpl_matrix.hpp"

#include <algorithm>

namespace weir {
namespace {

/// Whole cache lines, and no multiple of the page size, at which all columns would fall into the same sets of a cache.
std::uint64_t spacing(std::uint64_t rows) {
    constexpr std::uint64_t line = 8;
    constexpr std::uint64_t page = 512;
    auto const lines = (std::max<std::uint64_t>(rows, 1) + line - 1) / line * line;
    return lines % page == 0 ? lines + line : lines;
}

}  // namespace

HplMatrix::HplMatrix(ProcessGrid const& grid, std::uint64_t size, std::uint64_t block, Pages pages)
    : row_(grid.row),
      column_(grid.column),
      rows_{size, block, grid.rows},
      columns_{size + 1, block, grid.columns},
      local_rows_(rows_.count(row_)),
      local_columns_(columns_.count(column_)),
      ld_(spacing(local_rows_)),
      memory_(ld_ * std::max<std::uint64_t>(local_columns_, 1) * sizeof(double), pages),
      data_(reinterpret_cast<double*>(memory_.bytes().data())) {}

void HplMatrix::fill(HplElements const& element) {
    for (std::uint64_t column = 0; column < local_columns_; ++column) {
        auto const global_column = columns_.global(column, column_);
        for (std::uint64_t row = 0; row < local_rows_; ++row) {
            *at(row, column) = element(rows_.global(row, row_), global_column);
        }
    }
}

std::uint64_t HplMatrix::bytes(std::uint64_t size, std::uint64_t block, std::uint64_t rows, std::uint64_t columns) {
    return spacing(BlockCyclic{size, block, rows}.count(0)) * BlockCyclic{size + 1, block, columns}.count(0) *
           sizeof(double);
}

}  // namespace weir
