#pragma once

#include <mpi.h>

#include "storage/backend.hpp"

namespace weir {

/// An MPI_Info with these hints that frees itself.
class MpiInfo {
  public:
    explicit MpiInfo(Hints const&);
    ~MpiInfo();
    MpiInfo(MpiInfo const&) = delete;
    MpiInfo& operator=(MpiInfo const&) = delete;
    [[nodiscard]] MPI_Info get() const { return info_; }

  private:
    MPI_Info info_ = MPI_INFO_NULL;
};

/// The hints of an MPI_Info, which is freed.
Hints read_and_free(MPI_Info);

}  // namespace weir
