#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bench/compute/hpl/hpl_matrix.hpp"
#include "bench/compute/linear/aligned_numbers.hpp"
#include "bench/compute/linear/blas.hpp"

namespace weir {

/// One block column, from its diagonal block down, as its process column factors it and all others receive it. The
/// numbers lie in one piece, which is what is sent: L (local rows x width, row by row, as OpenBLAS multiplies with it
/// fastest), the factored diagonal block (width x width, row by row, on all rows of the grid), the pivots, whether a
/// stop was requested, and whether its sender sees panels off (see Lu).
struct Panel {
    std::uint64_t begin = 0;      ///< its first column, and the first row of its diagonal block
    std::uint64_t width = 0;      ///< columns
    std::uint64_t first_row = 0;  ///< local index of the first row at or below the diagonal block
    std::uint64_t rows = 0;       ///< local rows from there
    bool has_diagonal = false;    ///< whether the diagonal block's rows are this rank's
    AlignedNumbers numbers;

    /// For the block of that index, as this rank of the grid sees it.
    void shape(HplMatrix const&, ProcessGrid const&, std::uint64_t index);

    [[nodiscard]] double* l(std::uint64_t row = 0) { return numbers.data() + row * width; }
    [[nodiscard]] double const* l(std::uint64_t row = 0) const { return numbers.data() + row * width; }
    [[nodiscard]] double* top(std::uint64_t row = 0) { return l(rows + row); }
    [[nodiscard]] double const* top(std::uint64_t row = 0) const { return l(rows + row); }
    [[nodiscard]] double* pivots() { return top(width); }  ///< global rows
    [[nodiscard]] double& stop() { return pivots()[width]; }
    [[nodiscard]] double& sees_off() { return pivots()[width + 1]; }

    /// Local rows of the diagonal block among `rows`: they are not part of the update.
    [[nodiscard]] std::uint64_t top_rows() const { return has_diagonal ? width : 0; }
};

/// Factors panels, each with its columns in memory of this object, one after the other. They are split in halves, down
/// to so many columns, which are eliminated one by one.
class PanelFactor {
  public:
    /// Collective over the grid's columns.
    PanelFactor(ProcessGrid const&, Blas const&, std::uint64_t block, std::uint64_t least_columns);
    ~PanelFactor();
    PanelFactor(PanelFactor const&) = delete;
    PanelFactor& operator=(PanelFactor const&) = delete;

    /// Takes the panel's columns from the matrix. Local.
    void take(HplMatrix&, Panel const&);

    /// Brings the columns taken up to date with the panel before theirs and its rows of U for them, `apart` from each
    /// other: as many columns as they are, which OpenBLAS multiplies column by column only at its full rate. Local.
    void subtract(Panel const& before, double const* u, std::uint64_t apart);

    /// Factors the columns taken with partial pivoting, makes the panel of them, and puts the upper triangle into the
    /// matrix. Collective over the column of the grid that has it.
    void factor(HplMatrix&, Panel&);

  private:
    [[nodiscard]] double* numbers_of(std::uint64_t column) { return columns_.data() + column * length_; }
    [[nodiscard]] double* top_of(std::uint64_t column) { return tops_.data() + column * width_; }
    void recurse(Panel& panel, std::uint64_t first, std::uint64_t count);
    void bring_up_to_date(Panel& panel, std::uint64_t first, std::uint64_t column);
    void divide_by_pivot(Panel& panel, std::uint64_t column);
    void choose_pivot(Panel& panel, std::uint64_t column);

    ProcessGrid const& grid_;
    Blas const& blas_;
    BlockCyclic rows_{};
    std::uint64_t least_columns_;
    std::uint64_t length_ = 0;  ///< of the columns taken
    std::uint64_t width_ = 0;   ///< how many they are
    AlignedNumbers columns_;    ///< one after the other
    std::vector<double> tops_;  ///< of each, the rows of the diagonal block, on all rows of the grid
    std::vector<double> mine_;  ///< see choose_pivot()
    std::vector<double> chosen_;
    MPI_Datatype candidate_ = MPI_DATATYPE_NULL;
    MPI_Op better_ = MPI_OP_NULL;
};

}  // namespace weir
