#include "apps/aquifer/flow/transport.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "apps/aquifer/flow/rows.hpp"
#include "core/error.hpp"

namespace weir::aquifer {
namespace {

/// What flows through a face for a species: `flow` does not depend on concentrations (M m^3/s), the rest is per M.
FaceFlow carried(Species const& species, Face const& face, double water, double mean_content, Box const& box) {
    auto const edge = box.edges[face.axis];
    auto const spread =
        (mean_content * species.diffusion * box.face_area(face.axis) + species.dispersivity * std::abs(water)) / edge;
    if (face.is_inside()) {
        return {0, std::max(water, 0.0) + spread, std::min(water, 0.0) - spread};
    }
    auto const is_low = face.low == no_cell;
    auto const inwards = is_low ? water : -water;
    auto const& there = species.at_sides[face.side()];
    auto const to_side = there ? 2 * spread : 0;
    auto const entering = (std::max(inwards, 0.0) + to_side) * there.value_or(0);
    auto const leaving = std::max(-inwards, 0.0) + to_side;
    return is_low ? FaceFlow{entering, 0, -leaving} : FaceFlow{-entering, leaving, 0};
}

}  // namespace

double SpeciesBalance::error() const {
    auto const largest = std::max({std::abs(before), std::abs(after), std::abs(entered), std::abs(decayed)});
    return largest > 0 ? std::abs(after - before - entered + decayed) / largest : 0;
}

Transport::Transport(Mesh const& mesh, std::vector<Species> species, std::vector<Well> const& wells)
    : mesh_(mesh),
      species_(std::move(species)),
      wells_(rates(mesh.block(), wells)),
      now_(species_.size(), std::vector<double>(mesh.block().count())),
      gain_(mesh.block().count()),
      balances_(species_.size()),
      unknown_(mesh.vector()),
      right_(mesh.vector()),
      matrix_(mesh.matrix()) {
    auto const problem = "the solver of transport cannot be set up";
    auto* const krylov = krylov_.put();
    check_petsc(KSPCreate(for_petsc(mesh.comm()), krylov), problem);
    check_petsc(KSPSetOperators(*krylov, matrix_.get(), matrix_.get()), problem);
    check_petsc(KSPSetType(*krylov, KSPBCGS), problem);
    check_petsc(KSPSetTolerances(*krylov, 1e-13, PETSC_DEFAULT, PETSC_DEFAULT, 500), problem);
    count_steps(*krylov);
    PC blocks = nullptr;
    check_petsc(KSPGetPC(*krylov, &blocks), problem);
    check_petsc(PCSetType(blocks, PCBJACOBI), problem);
}

void Transport::set(std::size_t species, std::vector<double> concentrations) {
    expect(concentrations.size() == now_.at(species).size(), "there is a value for each of this rank's cells");
    now_[species] = std::move(concentrations);
}

int Transport::step(WaterStep const& water) {
    int iterations = 0;
    auto const content = mesh_.with_ghosts(water.after);
    std::ranges::fill(gain_, 0);
    for (std::size_t i = 0; i < species_.size(); ++i) {
        iterations += advance(i, water, content);
    }
    return iterations;
}

/// Calls visit(Face, FaceFlow) for each face of this rank's cells.
template <class Visit>
void Transport::each_face(Species const& species, WaterStep const& water, std::span<double const> content,
                          Visit visit) const {
    for (std::size_t axis = 0; axis < axes; ++axis) {
        std::size_t at = 0;
        each_face_across(mesh_.box(), mesh_.block(), axis, [&](Face const& face) {
            auto const low = content[face.low != no_cell ? face.low : face.high];
            auto const high = content[face.high != no_cell ? face.high : face.low];
            visit(face, carried(species, face, water.flow.flow(axis)[at++], 0.5 * (low + high), mesh_.box()));
        });
    }
}

int Transport::advance(std::size_t number, WaterStep const& water, std::span<double const> content) {
    auto const& species = species_[number];
    auto& now = now_[number];
    auto const size = mesh_.box().cell_volume() * species.retardation;
    SpeciesBalance mine;
    MatrixRows rows(now.size());
    std::vector<double> right(now.size());
    mesh_.block().each_cell([&](std::size_t own, std::size_t here) {
        auto const held = size * water.before[own] * now[own];
        auto const taken = std::max(-wells_[own], 0.0);
        rows.begin(own, here, size * water.after[own] * (1 / water.dt + species.decay) + taken);
        right[own] = held / water.dt + gain_[own];
        mine.before += held;
        mine.decayed -= gain_[own] * water.dt;
    });
    each_face(species, water, content, [&](Face const& face, FaceFlow const& through) {
        rows.add(face, through);
        if (face.own_low != no_cell) {
            right[face.own_low] -= through.flow;
        }
        if (face.own_high != no_cell) {
            right[face.own_high] += through.flow;
        }
    });
    rows.put_in(matrix_.get());
    std::ranges::copy(right, Values(right_.get()).all().begin());
    auto const iterations = solve(now);
    each_face(species, water, content, [&](Face const& face, FaceFlow const& through) {
        if (face.low == no_cell) {
            mine.entered += (through.flow + through.per_high * now[face.own_high]) * water.dt;
        } else if (face.high == no_cell) {
            mine.entered -= (through.flow + through.per_low * now[face.own_low]) * water.dt;
        }
    });
    for (std::size_t own = 0; own < now.size(); ++own) {
        auto const held = size * water.after[own] * now[own];
        gain_[own] = species.decay * held;
        mine.after += held;
        mine.entered -= std::max(-wells_[own], 0.0) * now[own] * water.dt;
        mine.decayed += gain_[own] * water.dt;
    }
    balances_[number] = {mesh_.sum(mine.before), mesh_.sum(mine.after), mesh_.sum(mine.entered),
                         mesh_.sum(mine.decayed)};
    return iterations;
}

/// Begins with the concentrations before the step.
int Transport::solve(std::vector<double>& now) {
    std::ranges::copy(now, Values(unknown_.get()).all().begin());
    check_petsc(KSPSetInitialGuessNonzero(krylov_.get(), PETSC_TRUE), "a linear system cannot be solved");
    check_petsc(KSPSolve(krylov_.get(), right_.get(), unknown_.get()), "a linear system cannot be solved");
    KSPConvergedReason reason{};
    KSPGetConvergedReason(krylov_.get(), &reason);
    if (reason < 0) {
        throw Error({"the transport of species did not converge", "its linear system is too badly conditioned",
                     "Take shorter time steps.", ExitCode::cannot_run});
    }
    std::ranges::copy(Values(unknown_.get()).all(), now.begin());
    PetscInt iterations = 0;
    KSPGetIterationNumber(krylov_.get(), &iterations);
    return static_cast<int>(iterations);
}

}  // namespace weir::aquifer
