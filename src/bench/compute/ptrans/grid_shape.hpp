#pragma once

#include <cstdint>

#include "bench/compute/linear/block_cyclic.hpp"
#include "bench/compute/linear/process_grid.hpp"

namespace weir {

/// Square matrices of one size and block, block-cyclic over a grid, column by column on each rank.
struct GridShape {
    GridShape(ProcessGrid const& grid, std::uint64_t size, std::uint64_t block)
        : rows{size, block, grid.rows},
          columns{size, block, grid.columns},
          local_rows(rows.count(grid.row)),
          local_columns(columns.count(grid.column)) {}

    BlockCyclic rows;
    BlockCyclic columns;
    std::uint64_t local_rows;
    std::uint64_t local_columns;
};

}  // namespace weir
