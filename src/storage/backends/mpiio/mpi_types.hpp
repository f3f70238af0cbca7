#pragma once

#include <mpi.h>

#include <cstddef>
#include <optional>
#include <span>

#include "pattern/extent.hpp"
#include "pattern/piece_lists.hpp"

namespace weir {

/// A derived datatype that frees itself.
class MpiType {
  public:
    explicit MpiType(MPI_Datatype type) : type_(type) {}
    ~MpiType() { MPI_Type_free(&type_); }
    MpiType(MpiType const&) = delete;
    MpiType& operator=(MpiType const&) = delete;
    [[nodiscard]] MPI_Datatype get() const { return type_; }

  private:
    MPI_Datatype type_;
};

/// A number of bytes as count and type, also if it exceeds an int.
class MpiCount {
  public:
    explicit MpiCount(std::size_t bytes);

    [[nodiscard]] int count() const { return count_; }
    [[nodiscard]] MPI_Datatype type() const { return type_ ? type_->get() : MPI_BYTE; }

  private:
    int count_;
    std::optional<MpiType> type_;
};

/// The bytes of nested strides, from their start, as a committed file type, for an MpiType to own. Throws Error (usage)
/// for what MPI cannot express: file views must be monotonic, and counts are 32-bit.
MPI_Datatype nest_type(Extent const&);

/// Pieces of a file, in file order, as a committed file type, for an MpiType to own. Throws Error (usage) for what MPI
/// cannot express: counts are 32-bit.
MPI_Datatype list_type(std::span<Piece const>);

}  // namespace weir
