#include "apps/aquifer/flow/richards.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "apps/aquifer/flow/rows.hpp"
#include "core/error.hpp"

namespace weir::aquifer {
namespace {

constexpr int most_newton = 30;

std::vector<std::size_t> soils_with_ghosts(Mesh const& mesh, std::vector<std::size_t> const& own) {
    auto const numbers = mesh.with_ghosts(std::vector<double>(own.begin(), own.end()));
    return {numbers.begin(), numbers.end()};
}

}  // namespace

double WaterBalance::error() const {
    auto const held_against = std::max(moved, std::abs(after));
    return held_against > 0 ? std::abs(after - before - entered) / held_against : 0;
}

Richards::Richards(Mesh const& mesh, Flow flow, Ground const& ground, std::span<double const> heads)
    : mesh_(mesh),
      darcy_(mesh.box(), mesh.block(), std::move(flow), mesh.with_ghosts(ground.conductivity),
             soils_with_ghosts(mesh, ground.soil)),
      heads_(mesh.block().count_ghosted()),
      water_(heads_.size()),
      k_(heads_.size()),
      before_(mesh.block().count()),
      wells_(rates(mesh.block(), darcy_.flow().wells)),
      state_(mesh.vector()),
      trial_(mesh.vector()),
      residual_(mesh.vector()),
      ghosted_(mesh.ghosted_vector()),
      jacobian_(mesh.matrix()) {
    use(state_.get(), heads);
    relate(state_.get());
    note_flow();
    auto const problem = "Newton's method cannot be set up";
    check_petsc(SNESCreate(for_petsc(mesh.comm()), newton_.put()), problem);
    auto* const newton = newton_.get();
    check_petsc(SNESSetFunction(newton, residual_.get(), on_evaluate, this), problem);
    check_petsc(SNESSetJacobian(newton, jacobian_.get(), jacobian_.get(), on_differentiate, this), problem);
    check_petsc(SNESSetConvergenceTest(newton, on_check, this, nullptr), problem);
    check_petsc(SNESSetTolerances(newton, 0, 0, 0, most_newton, PETSC_DEFAULT), problem);
    KSP krylov = nullptr;
    PC blocks = nullptr;
    check_petsc(SNESGetKSP(newton, &krylov), problem);
    check_petsc(KSPSetType(krylov, KSPBCGS), problem);
    check_petsc(KSPSetTolerances(krylov, 1e-5, PETSC_DEFAULT, PETSC_DEFAULT, 500), problem);
    count_steps(krylov);
    check_petsc(KSPGetPC(krylov, &blocks), problem);
    check_petsc(PCSetType(blocks, PCBJACOBI), problem);  // in each block ILU(0), which is PETSc's choice there
}

void Richards::use(Vec vector, std::span<double const> values) const {
    Values const to(vector);
    expect(values.size() == to.all().size(), "there is a value for each of this rank's cells");
    std::ranges::copy(values, to.all().begin());
}

/// Water and relative conductivity of ghosted cells at these heads.
void Richards::relate(Vec heads) {
    mesh_.exchange(heads, ghosted_.get());
    std::ranges::copy(Values(ghosted_.get()).all(), heads_.begin());
    for (std::size_t here = 0; here < heads_.size(); ++here) {
        auto const& soil = darcy_.soil(here);
        water_[here] = soil.water(heads_[here]);
        k_[here] = soil.conductivity(heads_[here]);
    }
}

double Richards::stored() const {
    double sum = 0;
    mesh_.block().each_cell([&](std::size_t, std::size_t here) { sum += water_[here].value; });
    return mesh_.sum(sum) * mesh_.box().cell_volume();
}

void Richards::evaluate(Vec heads, Vec residual) {
    relate(heads);
    Values const missing(residual);
    auto const per_water = mesh_.box().cell_volume() / dt_;
    mesh_.block().each_cell([&](std::size_t own, std::size_t here) {
        missing[own] = per_water * (water_[here].value - before_[own]) - wells_[own];
    });
    darcy_.each_face(now(), [&](Face const& face, FaceFlow const& through) {
        if (face.own_low != no_cell) {
            missing[face.own_low] += through.flow;
        }
        if (face.own_high != no_cell) {
            missing[face.own_high] -= through.flow;
        }
    });
}

void Richards::differentiate(Vec heads, Mat jacobian) {
    relate(heads);
    MatrixRows rows(before_.size());
    auto const per_water = mesh_.box().cell_volume() / dt_;
    mesh_.block().each_cell(
        [&](std::size_t own, std::size_t here) { rows.begin(own, here, per_water * water_[here].per_head); });
    darcy_.each_face(now(), [&](Face const& face, FaceFlow const& through) { rows.add(face, through); });
    rows.put_in(jacobian);
}

/// A residual is small enough if the sum of all is lost in the water that moves, or in rounding.
void Richards::begin(double dt) {
    dt_ = dt;
    relate(state_.get());
    mesh_.block().each_cell([&](std::size_t own, std::size_t here) { before_[own] = water_[here].value; });
    balance_ = {.before = stored()};
    double moved = 0;
    double rounding = 0;  // of the terms of each face, squared
    for (auto const rate : wells_) {
        moved += std::abs(rate);
    }
    darcy_.each_face(now(), [&](Face const& face, FaceFlow const& through) {
        moved += face.is_inside() ? 0 : std::abs(through.flow);
        auto const head = std::abs(heads_[face.low != no_cell ? face.low : face.high]) + mesh_.box().edges[2];
        rounding += std::pow(std::max(std::abs(through.per_low), std::abs(through.per_high)) * head, 2);
    });
    constexpr double wanted = 1e-12;
    constexpr double epsilon = 1e-15;
    auto const cells = static_cast<double>(volume(mesh_.box().cells));
    auto const of_water = std::max(mesh_.sum(moved), std::abs(balance_.before) / dt);
    good_ = std::max(wanted * of_water / std::sqrt(cells), epsilon * std::sqrt(mesh_.sum(rounding)));
}

StepDone Richards::step(double dt) {
    begin(dt);
    check_petsc(VecCopy(state_.get(), trial_.get()), "no memory for a step");
    check_petsc(SNESSolve(newton_.get(), nullptr, trial_.get()), "Newton's method failed");
    SNESConvergedReason reason{};
    PetscInt newton = 0;
    PetscInt krylov = 0;
    SNESGetConvergedReason(newton_.get(), &reason);
    SNESGetIterationNumber(newton_.get(), &newton);
    SNESGetLinearSolveIterations(newton_.get(), &krylov);
    StepDone const done{reason > 0, static_cast<int>(newton), static_cast<int>(krylov)};
    if (done.converged) {
        std::swap(state_, trial_);
    }
    relate(state_.get());
    if (done.converged) {
        conclude();
    }
    return done;
}

void Richards::note_flow() {
    for (auto& flow : flow_) {
        flow.clear();
    }
    darcy_.each_face(now(),
                     [&](Face const& face, FaceFlow const& through) { flow_[face.axis].push_back(through.flow); });
}

void Richards::conclude() {
    note_flow();
    double entered = 0;
    double moved = 0;
    for (auto const rate : wells_) {
        entered += rate;
        moved += std::abs(rate);
    }
    for (std::size_t axis = 0; axis < axes; ++axis) {
        auto through = flow_[axis].begin();
        each_face_across(mesh_.box(), mesh_.block(), axis, [&](Face const& face) {
            auto const flow = *through++;
            if (!face.is_inside()) {
                entered += face.low == no_cell ? flow : -flow;
                moved += std::abs(flow);
            }
        });
    }
    balance_.entered = mesh_.sum(entered) * dt_;
    balance_.moved = mesh_.sum(moved) * dt_;
    balance_.after = stored();
}

std::vector<double> Richards::heads() const {
    Values const values(state_.get());
    return {values.all().begin(), values.all().end()};
}

std::vector<double> Richards::water() const {
    std::vector<double> water(before_.size());
    mesh_.block().each_cell([&](std::size_t own, std::size_t here) { water[own] = water_[here].value; });
    return water;
}

std::vector<double> Richards::saturation() const {
    std::vector<double> saturation(before_.size());
    mesh_.block().each_cell(
        [&](std::size_t own, std::size_t here) { saturation[own] = darcy_.soil(here).saturation(heads_[here]); });
    return saturation;
}

PetscVector Richards::residual(std::span<double const> heads, double dt) {
    begin(dt);
    use(trial_.get(), heads);
    auto made = mesh_.vector();
    evaluate(trial_.get(), made.get());
    relate(state_.get());
    return made;
}

PetscMatrix Richards::jacobian(std::span<double const> heads, double dt) {
    begin(dt);
    use(trial_.get(), heads);
    auto made = mesh_.matrix();
    differentiate(trial_.get(), made.get());
    relate(state_.get());
    return made;
}

PetscErrorCode Richards::on_evaluate(SNES /*newton*/, Vec heads, Vec residual, void* richards) {
    static_cast<Richards*>(richards)->evaluate(heads, residual);
    return 0;
}

PetscErrorCode Richards::on_differentiate(SNES /*newton*/, Vec heads, Mat jacobian, Mat /*same*/, void* richards) {
    static_cast<Richards*>(richards)->differentiate(heads, jacobian);
    return 0;
}

PetscErrorCode Richards::on_check(SNES /*newton*/, PetscInt iteration, PetscReal norm, PetscReal step,
                                  PetscReal residual, SNESConvergedReason* reason, void* richards) {
    constexpr double no_step = 1e-14;
    *reason = SNES_CONVERGED_ITERATING;
    if (!std::isfinite(residual)) {
        *reason = SNES_DIVERGED_FNORM_NAN;
    } else if (residual <= static_cast<Richards*>(richards)->good_) {
        *reason = SNES_CONVERGED_FNORM_ABS;
    } else if (iteration > 0 && step <= no_step * norm) {
        *reason = SNES_CONVERGED_SNORM_RELATIVE;
    }
    return 0;
}

}  // namespace weir::aquifer
