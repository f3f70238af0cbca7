#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "apps/cmb/model/shape.hpp"
#include "comm/communicator.hpp"

namespace weir::cmb {

/// Linear algebra on matrices that ranks have in parts (Part). All members are collective over the ranks among which
/// the matrices are divided; an error is thrown on all of them.
class Linear {
  public:
    virtual ~Linear() = default;

    /// A <- A^-1, of a symmetric, positive definite matrix divided among all ranks. `work` is as large as `a`.
    virtual void invert(std::span<double> a, std::span<double> work) = 0;

    /// Hands a matrix that is divided among all ranks to one gang; `part` is a rank's of that gang, and otherwise
    /// unchanged. Collective over all ranks.
    virtual void hand_over(std::span<double const> whole, std::uint64_t gang, std::span<double> part) = 0;

    /// C <- A B, divided among the ranks of each gang.
    virtual void multiply(std::span<double const> a, std::span<double const> b, std::span<double> c) = 0;

    /// T <- A^T, divided among the ranks of each gang.
    virtual void transpose(std::span<double const> a, std::span<double> t) = 0;
};

/// Makes it. Collective over all ranks.
using LinearMaker = std::unique_ptr<Linear> (*)(Communicator const& all, Communicator const& gang, Shape const&);

/// Called by the module's code when it is loaded.
void offer_linear(LinearMaker);

/// Loads the module that has ScaLAPACK unless that was done: it starts a BLAS, and is never unloaded. Error (cannot
/// run) if there is none, or it cannot be loaded. Local.
LinearMaker need_linear();

}  // namespace weir::cmb
