#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "bench/compute/hpl/panel.hpp"
#include "bench/compute/hpl/panel_broadcast.hpp"
#include "bench/compute/hpl/row_exchange.hpp"
#include "bench/compute/hpl/upper_rows.hpp"
#include "core/clock.hpp"

namespace weir {

/// How HPL goes about it; none of it changes the result by more than rounding.
struct LuPlan {
    std::uint64_t look_ahead = 1;  ///< panels that are factored before the update that they come after (HPL's depth)
    PanelRoute route = PanelRoute::ring_modified;
    SwapRoute swap = SwapRoute::mix;
    std::uint64_t swap_threshold = 64;  ///< columns, for SwapRoute::mix
    std::uint64_t least_columns = 8;    ///< of a panel that are eliminated one by one (HPL's NBMIN)
    double most_waiting = 0.25;  ///< share of the time, above which whoever sends a panel waits until it is there
};

/// Seconds of this rank in each part.
struct LuTimes {
    double panel = 0;    ///< factoring, with the search for pivots
    double waiting = 0;  ///< for panels of other columns of the grid
    double swap = 0;     ///< exchange of rows
    double update = 0;   ///< solving with, and multiplying by, the panel
    double solve = 0;    ///< back substitution
};

/// Block LU factorisation with partial pivoting of rows, right-looking, with look-ahead (Petitet, Whaley, Dongarra,
/// Cleary: HPL, 2.3, netlib.org/benchmark/hpl/algorithm.html).
class Lu {
  public:
    /// Collective over the grid.
    Lu(ProcessGrid const&, Blas const&, LuPlan const&, Clock const&);

    /// Solves A x = b, of the matrix and its last column, and returns x, on every rank. The matrix is overwritten.
    /// `tell` is called after each panel on every rank, with the number of those that are done. Collective; throws
    /// Error (interrupted) on all ranks if a stop was requested on any.
    std::vector<double> solve(HplMatrix&, std::uint64_t block, std::function<void(std::uint64_t)> const& tell = {});

    [[nodiscard]] LuTimes const& times() const { return times_; }

  private:
    struct PanelSlot {
        Panel panel;
        PanelBroadcast broadcast;
        RowMoves moves;
        UpperRows upper;
        bool on_its_way = false;
        bool is_here = false;
    };
    /// Rows of U, so far apart: where the matrix has them, or, if the diagonal block is another rank's, in `upper_`.
    struct Upper {
        double* numbers = nullptr;
        std::uint64_t apart = 0;
    };

    void factor(HplMatrix&, PanelFactor&, std::uint64_t block);
    void take(HplMatrix&, PanelFactor&, Panel const&);
    void begin(HplMatrix const&, std::uint64_t block);
    void see_off(PanelSlot&, std::uint64_t step, double elapsed_s);
    PanelSlot& slot(std::uint64_t block) { return slots_[block % slots_.size()]; }
    PanelSlot& receive(std::uint64_t block);
    void update(HplMatrix&, PanelSlot&, std::uint64_t first_column, std::uint64_t end_column);
    /// Exchanges the rows of a panel for these columns, and solves for those of U.
    Upper bring_up(HplMatrix&, PanelSlot&, std::uint64_t first_column, std::uint64_t columns);
    void finish_all();
    std::vector<double> back_substitute(HplMatrix&);

    ProcessGrid const& grid_;
    Blas const& blas_;
    LuPlan plan_;
    Clock const& clock_;
    RowExchange exchange_;
    std::vector<PanelSlot> slots_;
    std::uint64_t size_ = 0;  ///< of the matrix
    bool sees_off_ = false;   ///< see LuPlan::most_waiting
    AlignedNumbers upper_;
    LuTimes times_;
};

}  // namespace weir
