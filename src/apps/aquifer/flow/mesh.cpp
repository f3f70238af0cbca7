#include "apps/aquifer/flow/mesh.hpp"

#include <petscdmda.h>

#include <algorithm>

#include "core/array_section.hpp"

namespace weir::aquifer {
namespace {

/// The cells of each rank along an axis.
std::vector<PetscInt> parts_along(Index cells, Index ranks) {
    std::vector<PetscInt> parts;
    for (Index r = 0; r < ranks; ++r) {
        auto const held = held_along(static_cast<std::uint64_t>(cells), 0, static_cast<std::uint64_t>(ranks),
                                     static_cast<std::uint64_t>(r));
        parts.push_back(static_cast<PetscInt>(held.owned));
    }
    return parts;
}

}  // namespace

Mesh::Mesh(Communicator comm, Box const& box) : comm_(std::move(comm)), box_(box) {
    need_petsc();
    ranks_ = ranks_for(box.cells, comm_.size());
    std::array<std::vector<PetscInt>, axes> parts;
    std::array<PetscInt, axes> n{}, p{};
    for (std::size_t a = 0; a < axes; ++a) {
        parts[a] = parts_along(box.cells[a], ranks_[a]);
        n[a] = static_cast<PetscInt>(box.cells[a]);
        p[a] = static_cast<PetscInt>(ranks_[a]);
    }
    check_petsc(DMDACreate3d(for_petsc(comm_), DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DMDA_STENCIL_STAR,
                             n[0], n[1], n[2], p[0], p[1], p[2], 1, 1, parts[0].data(), parts[1].data(),
                             parts[2].data(), mesh_.put()),
                "the grid of cells cannot be cut among the ranks");
    check_petsc(DMSetUp(petsc()), "the grid of cells cannot be cut among the ranks");
    std::array<PetscInt, 2 * axes> own{}, around{};
    DMDAGetCorners(petsc(), &own[0], &own[1], &own[2], &own[3], &own[4], &own[5]);
    DMDAGetGhostCorners(petsc(), &around[0], &around[1], &around[2], &around[3], &around[4], &around[5]);
    for (std::size_t a = 0; a < axes; ++a) {
        block_.start[a] = own[a];
        block_.cells[a] = own[axes + a];
        block_.ghosted_start[a] = around[a];
        block_.ghosted[a] = around[axes + a];
    }
}

PetscVector Mesh::vector() const {
    PetscVector made;
    check_petsc(DMCreateGlobalVector(petsc(), made.put()), "no memory for a value of each cell");
    return made;
}

PetscVector Mesh::ghosted_vector() const {
    PetscVector made;
    check_petsc(DMCreateLocalVector(petsc(), made.put()), "no memory for a value of each cell");
    return made;
}

PetscMatrix Mesh::matrix() const {
    PetscMatrix made;
    check_petsc(DMCreateMatrix(petsc(), made.put()), "no memory for the Jacobian");
    return made;
}

void Mesh::exchange(Vec all, Vec ghosted) const {
    check_petsc(DMGlobalToLocal(petsc(), all, INSERT_VALUES, ghosted), "ranks cannot exchange their outermost cells");
}

std::vector<double> Mesh::with_ghosts(std::span<double const> own) const {
    auto const all = vector();
    std::ranges::copy(own, Values(all.get()).all().begin());
    auto const ghosted = ghosted_vector();
    exchange(all.get(), ghosted.get());
    auto const values = Values(ghosted.get());
    return {values.all().begin(), values.all().end()};
}

double Mesh::sum(double mine) const {
    if (comm_.size() == 1) {
        return mine;
    }
    double all = 0;
    check_petsc(MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, for_petsc(comm_)), "ranks cannot add up");
    return all;
}

}  // namespace weir::aquifer
