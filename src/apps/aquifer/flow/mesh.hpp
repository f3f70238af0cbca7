#pragma once

#include <span>
#include <vector>

#include "apps/aquifer/flow/petsc.hpp"
#include "apps/aquifer/model/box.hpp"

namespace weir::aquifer {

/// A box cut among ranks as block_of() says.
class Mesh {
  public:
    /// Error (usage) if there are more ranks along an axis than cells. Collective.
    Mesh(Communicator, Box const&);

    [[nodiscard]] Communicator const& comm() const { return comm_; }
    [[nodiscard]] Box const& box() const { return box_; }
    [[nodiscard]] Block const& block() const { return block_; }
    [[nodiscard]] Triple const& ranks() const { return ranks_; }
    [[nodiscard]] DM petsc() const { return mesh_.get(); }

    /// A vector of a value per cell of all ranks, and of a value per ghosted cell of this rank. Collective, as all that
    /// follow.
    [[nodiscard]] PetscVector vector() const;
    [[nodiscard]] PetscVector ghosted_vector() const;

    /// A matrix with a row per cell and an entry for the cell and each neighbour.
    [[nodiscard]] PetscMatrix matrix() const;

    /// From a value per cell of all ranks to those of this rank's ghosted cells.
    void exchange(Vec all, Vec ghosted) const;

    /// The same for values of this rank's cells.
    [[nodiscard]] std::vector<double> with_ghosts(std::span<double const> own) const;

    [[nodiscard]] double sum(double) const;

  private:
    Communicator comm_;
    Box box_;
    PetscMesh mesh_;
    Triple ranks_{};
    Block block_;
};

}  // namespace weir::aquifer
