#pragma once

#include "apps/common/ghosted.hpp"

namespace weir::heat {

/// Heat conduction, u_t = u_xx + u_yy + u_zz, in a periodic box 1 long along x: forward in time, central in space
/// (LeVeque: Finite Difference Methods for Ordinary and Partial Differential Equations, SIAM 2007, section 9.1), at
/// half of the largest stable time step.
class Heat {
  public:
    /// The initial state is 1 + sin(2 pi x) sin(2 pi y) sin(2 pi z), y and z in boxes. Collective, as all but the last
    /// two.
    Heat(Communicator const&, Triple const& cells);

    void advance();

    [[nodiscard]] Decomposition const& where() const { return where_; }
    [[nodiscard]] double dt() const { return dt_; }

    /// Calls visit(value) for each cell of this rank's block, x fastest. Local.
    template <class Visit>
    void each_cell(Visit visit) {
        auto const& n = where_.cells();
        for (Index k = 0; k < n[2]; ++k) {
            for (Index j = 0; j < n[1]; ++j) {
                for (Index i = 0; i < n[0]; ++i) {
                    visit(now_.row(j, k)[i]);
                }
            }
        }
    }

  private:
    Decomposition where_;
    Ghosted now_, next_;
    Halo halo_;
    double dt_;
};

}  // namespace weir::heat
