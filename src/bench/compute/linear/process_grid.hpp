#pragma once

#include <cstdint>

#include "comm/communicator.hpp"
#include "core/option.hpp"

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

/// The rows of the grid that is nearest to square, with no more rows than columns, as HPL runs fastest.
std::uint64_t rows_of_grid(std::uint64_t ranks);

/// The usual block of HPL.
constexpr std::uint64_t hpl_block = 192;

/// How a test distributes its matrices, as options: `block` and `grid_rows`.
struct GridOptions {
    std::uint64_t block;            ///< that is used, and where none is asked for, unless the matrix is smaller
    std::uint64_t asked_block = 0;  ///< 0: none
    std::uint64_t asked_rows = 0;   ///< 0: rows_of_grid()

    void declare(OptionSet&);

    /// The block for a matrix that is not smaller.
    [[nodiscard]] std::uint64_t largest_block() const { return asked_block > 0 ? asked_block : block; }

    /// Takes the block for a matrix of that order; throws Error (usage) if the one asked for is larger. Local.
    void fit_block(std::uint64_t size);

    /// Of so many ranks. Throws Error (usage) if they fill no grid of the rows asked for. Local.
    [[nodiscard]] std::uint64_t rows(std::uint64_t ranks) const;
};

}  // namespace weir
