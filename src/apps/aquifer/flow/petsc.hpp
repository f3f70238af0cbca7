#pragma once

#include <petscdm.h>
#include <petscsnes.h>

#include <cstddef>
#include <span>
#include <utility>

#include "comm/communicator.hpp"

namespace weir::aquifer {

/// Starts PETSc, once, without options from the command line or from files. It ends with the process, before MPI does
/// if need_mpi() began that; where a session in main() has ended MPI by then, PETSc is not ended. Local, as all here
/// but destroying.
void need_petsc();

/// Error (cannot run) with PETSc's words if a call failed. Local.
void check_petsc(PetscErrorCode status, char const* problem);

/// Each iteration counts as a step of progress.
void count_steps(KSP);

/// The communicator for PETSc's objects; without MPI's, that of this process alone.
MPI_Comm for_petsc(Communicator const&);

/// An object of PETSc, destroyed with its owner. Destroying is collective.
template <class T, PetscErrorCode (*Destroy)(T*)>
class Petsc {
  public:
    Petsc() = default;
    ~Petsc() { Destroy(&object_); }
    Petsc(Petsc&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    Petsc& operator=(Petsc&& other) noexcept {
        std::swap(object_, other.object_);
        return *this;
    }

    [[nodiscard]] T get() const { return object_; }
    [[nodiscard]] T* put() { return &object_; }  ///< for the call that creates it

  private:
    T object_ = nullptr;
};
using PetscVector = Petsc<Vec, VecDestroy>;
using PetscMatrix = Petsc<Mat, MatDestroy>;
using PetscMesh = Petsc<DM, DMDestroy>;
using PetscNewton = Petsc<SNES, SNESDestroy>;
using PetscKrylov = Petsc<KSP, KSPDestroy>;

/// A vector's local values for as long as this lives. Local.
class Values {
  public:
    explicit Values(Vec vector) : vector_(vector) {
        VecGetLocalSize(vector_, &size_);
        VecGetArray(vector_, &data_);
    }
    ~Values() { VecRestoreArray(vector_, &data_); }
    Values(Values const&) = delete;
    Values& operator=(Values const&) = delete;

    [[nodiscard]] double& operator[](std::size_t i) const { return data_[i]; }
    [[nodiscard]] std::span<double> all() const { return {data_, static_cast<std::size_t>(size_)}; }

  private:
    Vec vector_;
    PetscInt size_ = 0;
    double* data_ = nullptr;
};

class ReadValues {
  public:
    explicit ReadValues(Vec vector) : vector_(vector) { VecGetArrayRead(vector_, &data_); }
    ~ReadValues() { VecRestoreArrayRead(vector_, &data_); }
    ReadValues(ReadValues const&) = delete;
    ReadValues& operator=(ReadValues const&) = delete;

    [[nodiscard]] double operator[](std::size_t i) const { return data_[i]; }

  private:
    Vec vector_;
    double const* data_ = nullptr;
};

}  // namespace weir::aquifer
