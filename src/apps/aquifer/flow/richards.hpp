#pragma once

#include <array>
#include <span>
#include <vector>

#include "apps/aquifer/flow/darcy.hpp"
#include "apps/aquifer/flow/mesh.hpp"

namespace weir::aquifer {

/// The water of one step, over all ranks, m^3.
struct WaterBalance {
    double before = 0;   ///< stored
    double after = 0;    ///< stored
    double entered = 0;  ///< through sides and wells, less what left
    double moved = 0;    ///< what entered, and what left

    /// What does not add up, as a fraction of the larger of `moved` and `after`.
    [[nodiscard]] double error() const;
};

/// The result of one step.
struct StepDone {
    bool converged = false;
    int newton = 0;  ///< iterations
    int krylov = 0;
};

/// Richards' equation (1931) in its mixed form, d(theta(psi) + S_s psi)/dt = div(K k grad(psi + z)) + q, which
/// conserves water (Celia et al. 1990): cell-centred finite volumes, backward Euler, Newton with the analytic Jacobian,
/// BiCGStab with ILU(0) in each rank's block.
class Richards {
  public:
    /// At rest with these pressure heads (m). The mesh must outlive this. Collective, as the next.
    Richards(Mesh const&, Flow, Ground const&, std::span<double const> heads);

    Richards(Richards const&) = delete;  // PETSc calls it back
    Richards& operator=(Richards const&) = delete;

    /// One step of dt seconds. If Newton's iterations do not converge, the state is as before.
    StepDone step(double dt);

    /// Pressure heads, m, of this rank's cells, x fastest. Local, as all that follow.
    [[nodiscard]] std::vector<double> heads() const;

    /// Water per volume of soil in this rank's cells, with the elastic storage; and the fraction of the pores that it
    /// fills.
    [[nodiscard]] std::vector<double> water() const;
    [[nodiscard]] std::vector<double> saturation() const;

    /// Flow through faces in an axis's direction during the last step, or at the start, m^3/s, in the order of
    /// each_face_across().
    [[nodiscard]] std::span<double const> flow(std::size_t axis) const { return flow_[axis]; }

    [[nodiscard]] WaterBalance const& balance() const { return balance_; }

    /// For a step of dt seconds from the state to these heads: what each of this rank's cells misses, m^3/s, and the
    /// derivatives. For tests. Collective.
    [[nodiscard]] PetscVector residual(std::span<double const> heads, double dt);
    [[nodiscard]] PetscMatrix jacobian(std::span<double const> heads, double dt);

  private:
    void relate(Vec heads);
    [[nodiscard]] Heads now() const { return {heads_, k_}; }
    void evaluate(Vec heads, Vec residual);
    void differentiate(Vec heads, Mat jacobian);
    void begin(double dt);
    void note_flow();
    void conclude();
    [[nodiscard]] double stored() const;
    void use(Vec vector, std::span<double const> values) const;

    static PetscErrorCode on_evaluate(SNES, Vec heads, Vec residual, void* richards);
    static PetscErrorCode on_differentiate(SNES, Vec heads, Mat jacobian, Mat, void* richards);
    static PetscErrorCode on_check(SNES, PetscInt iteration, PetscReal norm, PetscReal step, PetscReal residual,
                                   SNESConvergedReason*, void* richards);

    Mesh const& mesh_;
    Darcy darcy_;
    std::vector<double> heads_;  ///< of ghosted cells, at the last evaluation, as the next two
    std::vector<Slope> water_, k_;
    std::vector<double> before_;  ///< water of this rank's cells before the step
    std::vector<double> wells_;   ///< of this rank's cells, m^3/s
    std::array<std::vector<double>, axes> flow_;
    double dt_ = 1;
    double good_ = 0;  ///< norm of residuals that are small enough, m^3/s
    WaterBalance balance_;
    PetscVector state_, trial_, residual_, ghosted_;
    PetscMatrix jacobian_;
    PetscNewton newton_;
};

}  // namespace weir::aquifer
