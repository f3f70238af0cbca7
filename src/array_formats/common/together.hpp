#pragma once

#include <mpi.h>

#include <optional>
#include <string>
#include <vector>

#include "array_formats/common/failure.hpp"

namespace weir::formats {

/// Throws the failure of the lowest rank that has one, on all ranks. Collective.
void agree(MPI_Comm, std::optional<Failure> const& mine);

/// The same, and throws WEIR_DISAGREE where ranks do not say the same. Collective.
void agree(MPI_Comm, std::optional<Failure> const& mine, std::string const& said);

/// What rank 0 alone finds out, a list of `count` values: on all ranks, or its failure. Collective.
template <class Value, class Work>
std::vector<Value> found_by_root(MPI_Comm comm, std::size_t count, Work work) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    std::vector<Value> values(count);
    agree(comm, rank == 0 ? attempted([&] { values = work(); }) : std::nullopt);
    MPI_Bcast(values.data(), static_cast<int>(count * sizeof(Value)), MPI_BYTE, 0, comm);
    return values;
}

/// What rank 0 alone does; its failure is everybody's. Collective.
template <class Work>
void done_by_root(MPI_Comm comm, Work work) {
    int rank = 0;
    MPI_Comm_rank(comm, &rank);
    agree(comm, rank == 0 ? attempted(work) : std::nullopt);
}

}  // namespace weir::formats
