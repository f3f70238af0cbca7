#include "bench/compute/linear/process_grid.hpp"

#include "core/error.hpp"

namespace weir {

ProcessGrid::ProcessGrid(Communicator const& ranks, std::uint64_t grid_rows, std::uint64_t grid_columns)
    : all(ranks),
      rows(grid_rows),
      columns(grid_columns),
      row(ranks.rank() / grid_columns),
      column(ranks.rank() % grid_columns),
      in_row(ranks.split(row)),
      in_column(ranks.split(column)) {
    expect(grid_rows * grid_columns == ranks.size(), "a grid has all ranks");
}

std::uint64_t rows_of_grid(std::uint64_t ranks) {
    std::uint64_t rows = 1;
    for (std::uint64_t candidate = 1; candidate * candidate <= ranks; ++candidate) {
        if (ranks % candidate == 0) {
            rows = candidate;
        }
    }
    return rows;
}

}  // namespace weir
