#pragma once

#include <mpi.h>

#include <cstdint>

#include "bench/network/mpi_forms.hpp"

namespace weir {

/// A message of any number of bytes as MPI's count and datatype: bytes up to 2^31 - 1; beyond, one element of a
/// datatype of that size, since counts are `int` in MPI 3.
class MessageType {
  public:
    explicit MessageType(std::uint64_t bytes);
    ~MessageType();
    MessageType(MessageType const&) = delete;
    MessageType& operator=(MessageType const&) = delete;

    [[nodiscard]] int count() const { return count_; }
    [[nodiscard]] MPI_Datatype type() const { return type_; }

  private:
    int count_;
    MPI_Datatype type_ = MPI_BYTE;
};

/// The number of floats in a message, for reductions: their operations know no datatypes of our own. Throws Error
/// (usage) beyond 2^31 - 1 floats where this MPI counts by `int`.
ElementCount float_count(std::uint64_t bytes);

}  // namespace weir
