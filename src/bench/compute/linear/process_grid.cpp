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

void GridOptions::declare(OptionSet& options) {
    constexpr std::uint64_t most_block = 4096;
    options.add("block", asked_block,
                "rows and columns of a block; 0: " + std::to_string(block) + ", or less for a smaller matrix",
                {{}, most_block});
    options.add("grid_rows", asked_rows, "rows of the grid of ranks; 0: the grid that is nearest to square");
}

void GridOptions::fit_block(std::uint64_t size) {
    validate(
        asked_block <= size,
        "blocks of " + std::to_string(asked_block) + " are larger than the matrix of order " + std::to_string(size),
        "the matrix would not fill the first of them", "choose a smaller block, or a larger size");
    block = std::min(largest_block(), size);
}

std::uint64_t GridOptions::rows(std::uint64_t ranks) const {
    validate(asked_rows == 0 || ranks % asked_rows == 0,
             "a grid of " + std::to_string(asked_rows) + " rows cannot have " + std::to_string(ranks) + " ranks",
             "the number of ranks is no multiple of it", "leave grid_rows at 0, or choose a divisor of the ranks");
    return asked_rows > 0 ? asked_rows : rows_of_grid(ranks);
}

}  // namespace weir
