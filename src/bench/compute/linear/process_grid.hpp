#pragma once

#include <cstdint>

#include "comm/communicator.hpp"

namespace weir {

/// P x Q ranks of a communicator, row by row: a rank's own row and column of the grid, with a communicator for each.
struct ProcessGrid {
    /// Collective. `rows` times `columns` must be the number of ranks.
    ProcessGrid(Communicator const& all, std::uint64_t rows, std::uint64_t columns);

    Communicator all;
    std::uint64_t rows;
    std::uint64_t columns;
    std::uint64_t row;       ///< of this rank
    std::uint64_t column;    ///< of this rank
    Communicator in_row;     ///< the ranks of this row, by their columns
    Communicator in_column;  ///< the ranks of this column, by their rows
};

/// The grid that is nearest to square, with no more rows than columns, as HPL runs fastest.
std::uint64_t rows_of_grid(std::uint64_t ranks);

}  // namespace weir
