#pragma once

#include <cstdint>

#include "bench/compute/linear/process_grid.hpp"

namespace weir {

/// The memory that HPL needs on each rank for a matrix of some order. All pure.
class HplMemory {
  public:
    /// Blocks are no larger than the matrix. Throws Error (usage) if the ranks fill no such grid.
    HplMemory(GridOptions const&, std::uint64_t ranks, std::uint64_t look_ahead);

    /// The matrix, the panels that are on their way, and the rows of U that it updates with.
    [[nodiscard]] std::uint64_t bytes(std::uint64_t order) const;

    /// The order, in whole blocks or less than one, whose matrix alone takes so many bytes of each rank.
    [[nodiscard]] std::uint64_t order_of_matrix(std::uint64_t bytes_of_rank) const;

    /// The greatest such order with which all fits into so many bytes; 1 if none does.
    [[nodiscard]] std::uint64_t order_within(std::uint64_t bytes_of_rank) const;

  private:
    [[nodiscard]] std::uint64_t in_blocks(std::uint64_t order) const;

    std::uint64_t block_;
    std::uint64_t rows_;
    std::uint64_t columns_;
    std::uint64_t look_ahead_;
};

}  // namespace weir
