#include "bench/compute/hpl/hpl_matrix.hpp"

#include <algorithm>

#include "core/interrupt.hpp"

namespace weir {
namespace {

/// Whole cache lines, and no multiple of the page size, at which all rows would fall into the same sets of a cache.
std::uint64_t spacing(std::uint64_t columns) {
    constexpr std::uint64_t line = 8;
    constexpr std::uint64_t page = 512;
    auto const lines = (std::max<std::uint64_t>(columns, 1) + line - 1) / line * line;
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
      ld_(spacing(local_columns_)),
      memory_(ld_ * std::max<std::uint64_t>(local_rows_, 1) * sizeof(double), pages),
      data_(reinterpret_cast<double*>(memory_.bytes().data())) {}

void HplMatrix::fill(HplElements const& element) {
    for (std::uint64_t row = 0; row < local_rows_; ++row) {
        throw_if_interrupted();
        auto const global_row = rows_.global(row, row_);
        for (std::uint64_t column = 0; column < local_columns_; ++column) {
            *at(row, column) = element(global_row, columns_.global(column, column_));
        }
    }
}

void HplMatrix::copy_column(std::uint64_t local_column, std::vector<double>& into) {
    into.resize(local_rows_);
    for (std::uint64_t row = 0; row < local_rows_; ++row) {
        into[row] = *at(row, local_column);
    }
}

std::uint64_t HplMatrix::bytes(std::uint64_t size, std::uint64_t block, std::uint64_t rows, std::uint64_t columns) {
    return spacing(BlockCyclic{size + 1, block, columns}.count(0)) * BlockCyclic{size, block, rows}.count(0) *
           sizeof(double);
}

}  // namespace weir
