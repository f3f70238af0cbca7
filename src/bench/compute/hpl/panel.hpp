#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bench/compute/hpl/hpl_matrix.hpp"
#include "bench/compute/linear/blas.hpp"

namespace weir {

/// One block column, from its diagonal block down, as its process column factors it and all others receive it. The
/// numbers lie in one piece, which is what is sent: L (local rows x width), the factored diagonal block (width x width,
/// on all rows of the grid), the pivots, whether a stop was requested, and whether its sender sees panels off (see Lu).
struct Panel {
    std::uint64_t begin = 0;      ///< its first column, and the first row of its diagonal block
    std::uint64_t width = 0;      ///< columns
    std::uint64_t first_row = 0;  ///< local index of the first row at or below the diagonal block
    std::uint64_t rows = 0;       ///< local rows from there
    bool has_diagonal = false;    ///< whether the diagonal block's rows are this rank's
    std::vector<double> numbers;

    /// For the block of that index, as this rank of the grid sees it.
    void shape(HplMatrix const&, ProcessGrid const&, std::uint64_t index);

    [[nodiscard]] double* l(std::uint64_t column = 0) { return numbers.data() + column * rows; }
    [[nodiscard]] double* top(std::uint64_t column = 0) { return numbers.data() + rows * width + column * width; }
    [[nodiscard]] double const* top(std::uint64_t column = 0) const {
        return numbers.data() + rows * width + column * width;
    }
    [[nodiscard]] double* pivots() { return top(width); }  ///< global rows
    [[nodiscard]] double& stop() { return pivots()[width]; }
    [[nodiscard]] double& sees_off() { return pivots()[width + 1]; }

    /// Local rows of the diagonal block among `rows`: they are not part of the update.
    [[nodiscard]] std::uint64_t top_rows() const { return has_diagonal ? width : 0; }
};

/// How the columns of a panel are split: in halves, down to so many columns, which are eliminated one by one.
class PanelFactor {
  public:
    /// Collective over the grid's columns.
    PanelFactor(ProcessGrid const&, Blas const&, std::uint64_t block, std::uint64_t least_columns);
    ~PanelFactor();
    PanelFactor(PanelFactor const&) = delete;
    PanelFactor& operator=(PanelFactor const&) = delete;

    /// Factors the panel of `matrix` with partial pivoting, and puts the upper triangle back. Collective over the
    /// column of the grid that has it.
    void factor(HplMatrix& matrix, Panel& panel);

  private:
    void recurse(Panel& panel, std::uint64_t first, std::uint64_t count);
    void bring_up_to_date(Panel& panel, std::uint64_t first, std::uint64_t column);
    static void divide_by_pivot(Panel& panel, std::uint64_t column);
    void choose_pivot(Panel& panel, std::uint64_t column);

    ProcessGrid const& grid_;
    Blas const& blas_;
    BlockCyclic rows_{};
    std::uint64_t least_columns_;
    std::vector<double> mine_;  ///< see choose_pivot()
    std::vector<double> chosen_;
    MPI_Datatype candidate_ = MPI_DATATYPE_NULL;
    MPI_Op better_ = MPI_OP_NULL;
};

}  // namespace weir
