#pragma once

#include <mpi.h>

#include <cstdint>
#include <limits>

#include "comm/communicator.hpp"

namespace weir::array {

/// MPI counts are ints: longer messages are sent in units of this many bytes, the last one padded. So a message can
/// have up to 128 GiB.
constexpr std::uint64_t unit_bytes = 64;

constexpr std::uint64_t filled_up(std::uint64_t bytes) { return (bytes + unit_bytes - 1) / unit_bytes * unit_bytes; }

constexpr bool needs_units(std::uint64_t bytes) {
    return bytes > static_cast<std::uint64_t>(std::numeric_limits<int>::max());
}

/// The MPI datatype of a unit. Local.
class UnitType {
  public:
    UnitType() {
        check_mpi(MPI_Type_contiguous(static_cast<int>(unit_bytes), MPI_BYTE, &type_), "a type cannot be made");
        check_mpi(MPI_Type_commit(&type_), "a type cannot be made");
    }
    UnitType(UnitType const&) = delete;
    UnitType& operator=(UnitType const&) = delete;
    ~UnitType() {
        int finished = 0;
        MPI_Finalized(&finished);
        if (finished == 0) {
            MPI_Type_free(&type_);
        }
    }

    [[nodiscard]] MPI_Datatype get() const { return type_; }

  private:
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

}  // namespace weir::array
