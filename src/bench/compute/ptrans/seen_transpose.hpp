#pragma once

#include <cstdint>
#include <optional>

#include "bench/compute/linear/node_buffer.hpp"
#include "bench/compute/linear/process_grid.hpp"
#include "bench/compute/ptrans/grid_shape.hpp"

namespace weir {

/// A <- beta A + alpha B^T where this rank sees the part of B: piece by piece down the columns of A, each fetched into
/// the caches while the one before is added. All functions are local.
class SeenTranspose {
  public:
    /// Columns of A are `local_rows` apart, those of each rank's B that rank's.
    SeenTranspose(ProcessGrid const&, GridShape const&, NodeBuffer const& b);

    /// Back to the first piece.
    void restart();

    [[nodiscard]] bool has_next() const { return next_.has_value(); }

    /// Adds one piece.
    void add_next(double alpha, double beta, double* a);

  private:
    /// Of A, at this row and column among the rank's own, inside a block.
    struct MatrixPiece {
        std::uint64_t row = 0;
        std::uint64_t column = 0;
        std::uint64_t rows = 0;
        std::uint64_t columns = 0;
        double const* from = nullptr;  ///< the first number of B^T; null if it is not seen
        std::uint64_t apart = 0;       ///< from column to column of B
    };

    [[nodiscard]] MatrixPiece piece_at(std::uint64_t row, std::uint64_t column) const;
    [[nodiscard]] std::optional<MatrixPiece> seen_from(std::uint64_t row, std::uint64_t column) const;

    ProcessGrid const& grid_;
    GridShape shape_;
    NodeBuffer const& b_;
    std::optional<MatrixPiece> next_;
};

}  // namespace weir
