#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "apps/aquifer/flow/petsc.hpp"
#include "apps/common/grid.hpp"

namespace weir::aquifer {

using Point = std::array<double, axes>;

/// The grid of cells: those along x, y and z, and their edges in metres. z points upwards, from 0.
struct Box {
    Triple cells{1, 1, 1};
    Point edges{1, 1, 1};

    [[nodiscard]] double cell_volume() const { return edges[0] * edges[1] * edges[2]; }             ///< m^3
    [[nodiscard]] double face_area(std::size_t axis) const { return cell_volume() / edges[axis]; }  ///< m^2
};

/// This rank's cells of a box, and those of other ranks that share a face with them (ghosts). Local and pure.
struct Block {
    Triple start{};          ///< first cell of this rank, counted in the whole box
    Triple cells{};          ///< of this rank
    Triple ghosted_start{};  ///< the same with ghosts
    Triple ghosted{};

    [[nodiscard]] std::size_t count() const { return static_cast<std::size_t>(volume(cells)); }
    [[nodiscard]] std::size_t count_ghosted() const { return static_cast<std::size_t>(volume(ghosted)); }

    /// Index of a cell, counted in the whole box, among the ghosted ones, x fastest.
    [[nodiscard]] std::size_t at(Triple const& cell) const {
        return static_cast<std::size_t>((cell[0] - ghosted_start[0]) +
                                        ghosted[0] *
                                            ((cell[1] - ghosted_start[1]) + ghosted[1] * (cell[2] - ghosted_start[2])));
    }

    /// Its index among this rank's, x fastest; without a value, it is another's or outside the box.
    [[nodiscard]] std::optional<std::size_t> own(Triple const& cell) const {
        Triple in{};
        for (std::size_t a = 0; a < axes; ++a) {
            in[a] = cell[a] - start[a];
            if (in[a] < 0 || in[a] >= cells[a]) {
                return {};
            }
        }
        return static_cast<std::size_t>(in[0] + cells[0] * (in[1] + cells[1] * in[2]));
    }

    /// Calls visit(own, here) for each of this rank's cells: its index among these, and among the ghosted ones.
    template <class Visit>
    void each_cell(Visit visit) const {
        std::size_t own = 0;
        for (Index k = start[2]; k < start[2] + cells[2]; ++k) {
            for (Index j = start[1]; j < start[1] + cells[1]; ++j) {
                auto here = at({start[0], j, k});
                for (Index i = 0; i < cells[0]; ++i) {
                    visit(own++, here++);
                }
            }
        }
    }
};

/// A box cut among ranks: rank r has the coordinates (r % px, r / px % py, r / px / py); the first ranks along an axis
/// have one cell more if they are not equal.
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
