#pragma once

#include <array>
#include <vector>

#include "apps/aquifer/flow/darcy.hpp"
#include "apps/aquifer/flow/petsc.hpp"

namespace weir::aquifer {

/// The rows of a matrix for this rank's cells: of what leaves a cell, the derivatives with respect to the cell itself
/// and its neighbours. Local but for put_in().
class MatrixRows {
  public:
    explicit MatrixRows(std::size_t cells) : values_(cells), columns_(cells) {}

    /// Begins a cell's row, before any face of it.
    void begin(std::size_t own, std::size_t here, double on_itself) {
        columns_[own].fill(-1);  // which PETSc ignores
        columns_[own][0] = static_cast<PetscInt>(here);
        values_[own] = {on_itself};
    }

    /// Adds the flow through a face to the rows of the cells that it leaves and enters.
    void add(Face const& face, FaceFlow const& through) {
        if (face.own_low != no_cell) {
            values_[face.own_low][0] += through.per_low;
            couple(face.own_low, 2 + 2 * face.axis, face.high, through.per_high);
        }
        if (face.own_high != no_cell) {
            values_[face.own_high][0] -= through.per_high;
            couple(face.own_high, 1 + 2 * face.axis, face.low, -through.per_low);
        }
    }

    /// Replaces a matrix's entries. Collective.
    void put_in(Mat matrix) const {
        for (std::size_t own = 0; own < values_.size(); ++own) {
            MatSetValuesLocal(matrix, 1, columns_[own].data(), entries, columns_[own].data(), values_[own].data(),
                              INSERT_VALUES);
        }
        MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY);
        MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY);
    }

  private:
    void couple(std::size_t own, std::size_t entry, std::size_t neighbour, double value) {
        if (neighbour != no_cell) {
            columns_[own][entry] = static_cast<PetscInt>(neighbour);
            values_[own][entry] = value;
        }
    }

    static constexpr std::size_t entries = 1 + 2 * axes;
    std::vector<std::array<double, entries>> values_;
    std::vector<std::array<PetscInt, entries>> columns_;
};

}  // namespace weir::aquifer
