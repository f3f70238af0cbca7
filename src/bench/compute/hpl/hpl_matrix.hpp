#pragma once

#include <cstdint>
#include <vector>

#include "bench/compute/linear/block_cyclic.hpp"
#include "bench/compute/linear/numbers.hpp"
#include "bench/compute/linear/process_grid.hpp"
#include "core/memory.hpp"

namespace weir {

/// A random matrix of N x N and a right side, the same for every grid and block size: elements in [-0.5, 0.5), each a
/// function of its place and the seed. The right side is column N.
class HplElements {
  public:
    HplElements(std::uint64_t size, std::uint64_t seed) : size_(size), numbers_(seed) {}

    [[nodiscard]] std::uint64_t size() const { return size_; }

    [[nodiscard]] double operator()(std::uint64_t row, std::uint64_t column) const {
        return numbers_(column * size_ + row);
    }

  private:
    std::uint64_t size_;
    CentredRandom numbers_;
};

/// A rank's part of the N x (N + 1) matrix, row by row: rows change places in a fifth of the time that they take where
/// each of their numbers lies on a line of its own.
class HplMatrix {
  public:
    /// Local. Touches its memory. Throws std::bad_alloc.
    HplMatrix(ProcessGrid const&, std::uint64_t size, std::uint64_t block, Pages = Pages::usual);

    /// Throws Error if a signal asks to stop.
    void fill(HplElements const&);

    [[nodiscard]] std::uint64_t size() const { return rows_.size; }
    [[nodiscard]] BlockCyclic const& rows() const { return rows_; }
    [[nodiscard]] BlockCyclic const& columns() const { return columns_; }  ///< with the right side
    [[nodiscard]] std::uint64_t local_rows() const { return local_rows_; }
    [[nodiscard]] std::uint64_t local_columns() const { return local_columns_; }
    [[nodiscard]] std::uint64_t ld() const { return ld_; }  ///< from row to row
    [[nodiscard]] double* at(std::uint64_t local_row, std::uint64_t local_column) {
        return data_ + local_row * ld_ + local_column;
    }

    /// The numbers of a local column. Local.
    void copy_column(std::uint64_t local_column, std::vector<double>& into);

    /// Bytes of a rank's part, at most.
    static std::uint64_t bytes(std::uint64_t size, std::uint64_t block, std::uint64_t rows, std::uint64_t columns);

  private:
    std::uint64_t row_;
    std::uint64_t column_;
    BlockCyclic rows_;
    BlockCyclic columns_;
    std::uint64_t local_rows_;
    std::uint64_t local_columns_;
    std::uint64_t ld_;
    Buffer memory_;
    double* data_;
};

}  // namespace weir
