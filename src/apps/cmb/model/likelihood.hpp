#pragma once

#include <memory>
#include <optional>

#include "apps/cmb/model/linear.hpp"
#include "apps/cmb/model/sky.hpp"
#include "apps/cmb/model/source.hpp"

namespace weir::cmb {

/// Entries by two bins, row by row: sums over what this rank has, then over all ranks.
struct BinSums {
    explicit BinSums(std::uint64_t bins) : gradient(bins), curvature(bins * bins) {}

    std::vector<double> gradient;   ///< dL/dC
    std::vector<double> curvature;  ///< d2L
};

/// x of A x = b for a symmetric, positive definite matrix, row by row. Error (cannot run) if it is not definite. Pure.
std::vector<double> solve_definite(std::vector<double> a, std::vector<double> b);

/// One Newton step to the most likely angular power spectrum of the data d = 1 with unit noise, as MADbench2 (Borrill
/// and others, 2007): S = sum dS/dC_b, D = S + 1, W_b = D^-1 dS/dC_b, z = D^-1 d, dL/dC_b = (d^T W_b z - tr W_b)/2,
/// d2L_bc = tr(W_b W_c)/2, dC = (d2L)^-1 dL/dC.
///
/// In the phase W, each rank reads as many matrices as there are gangs, and each gang multiplies one of them. In C,
/// each gang keeps one matrix of a round while the others of that round and of later ones pass by, round the gangs.
class Likelihood final : public PhaseSource {
  public:
    /// Collective.
    Likelihood(Shape const&, Communicator const& all, LinearMaker, Clock&);

    void begin(Stage) override;
    void fill(CurrentAccess const&, Operation const&, std::span<std::byte>) override;
    void take(CurrentAccess const&, Operation const&, std::span<std::byte const>) override;
    [[nodiscard]] bool computes_together() const override { return true; }
    [[nodiscard]] std::vector<double> const& correction() const override { return correction_; }

    /// Of a rank's matrices at once, at most. Pure.
    static std::uint64_t memory_bytes(Shape const&);

  private:
    using Matrix = std::vector<double>;

    void work(Compute const&) override;
    void add_derivative();
    void invert();
    void multiply();
    void correlate();
    void keep_column(std::uint64_t bin);
    [[nodiscard]] double trace_with_column() const;
    void pass_on();
    void solve();
    void sum_over_ranks(std::span<double>) const;

    Shape shape_;
    Communicator all_, gang_;
    std::unique_ptr<Linear> linear_;
    MatrixPart of_all_, of_gang_;
    Stage stage_ = Stage::signal;
    std::optional<SignalDerivatives> derivatives_;
    Matrix signal_;                 ///< then D, and its inverse
    Matrix made_;                   ///< what is written
    Matrix read_;                   ///< what was read: several parts of all ranks, or one of the gang's
    Matrix operand_;                ///< of several gangs
    Matrix inverse_;                ///< the gang's part
    Matrix column_;                 ///< transposed
    std::vector<double> solution_;  ///< z
    std::uint64_t reads_ = 0;
    std::uint64_t row_ = 0;   ///< round of the matrices that pass by
    std::uint64_t kept_ = 0;  ///< round of the kept ones
    BinSums sums_;
    std::vector<double> correction_;
};

}  // namespace weir::cmb
