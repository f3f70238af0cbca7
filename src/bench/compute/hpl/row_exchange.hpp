#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "bench/compute/hpl/hpl_matrix.hpp"
#include "bench/compute/hpl/panel.hpp"

namespace weir {

/// How the rows that pivoting brings up reach all rows of the grid: in a logarithmic number of steps that double
/// (binary exchange, HPL's swap 0), or one rank's part a step, round a ring (spread-roll, swap 1); mix takes the first
/// for few columns, where latency counts (swap 2).
enum class SwapRoute { binary_exchange, spread_roll, mix };
constexpr std::array<std::string_view, 3> enum_names(SwapRoute) { return {"binary-exchange", "spread-roll", "mix"}; }

/// Where rows go by the pivots of a panel. Each row that leaves the diagonal block takes the place of one that enters
/// it.
struct RowMoves {
    /// Of each row of the diagonal block, the global row that it gets.
    std::vector<std::uint64_t> sources;
    /// Rows outside it: the global row, and the row of the diagonal block, from 0, that it gets.
    struct Displaced {
        std::uint64_t row = 0;
        std::uint64_t from = 0;
    };
    std::vector<Displaced> displaced;
};

/// Of the swaps of row `first` + i with row `pivots[i]`, one after the other. Pure.
RowMoves row_moves(std::uint64_t first, std::vector<std::uint64_t> const& pivots);

/// Carries out the moves of a panel's pivots on further columns.
class RowExchange {
  public:
    RowExchange(ProcessGrid const&, SwapRoute, std::uint64_t threshold);

    /// Moves rows of these local columns, and returns those of the diagonal block, width x columns, row by row, on each
    /// row of the grid, in memory of this object, valid until the next call. Their places in the matrix are left as
    /// they were. Collective over the column of the grid.
    double* move(HplMatrix&, Panel const&, RowMoves const&, std::uint64_t first_column, std::uint64_t columns);

  private:
    void move_here(HplMatrix&, Panel const&, RowMoves const&, std::uint64_t first_column, std::uint64_t columns);
    static void collect(HplMatrix&, std::vector<std::uint64_t> const& places, std::uint64_t first_column,
                        std::uint64_t columns, double* into);
    void gather_parts(std::uint64_t columns);
    void pass(std::uint64_t first, std::uint64_t parts, std::uint64_t to, std::uint64_t place, std::uint64_t coming,
              std::uint64_t from);

    ProcessGrid const& grid_;
    SwapRoute route_;
    std::uint64_t threshold_;
    std::vector<std::vector<std::uint64_t>> entering_;  ///< of each row of the grid, the rows of the diagonal block
    std::vector<std::uint64_t> offsets_;                ///< of the parts, counted from this rank's own
    std::vector<std::uint64_t> places_;                 ///< local rows, of one step
    std::vector<double> parts_;
    std::vector<double> leaving_;
    AlignedNumbers top_;
};

}  // namespace weir
