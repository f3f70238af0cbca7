#include "storage/backends/mpiio/mpi_types.hpp"

#include <fmt/format.h>

#include <limits>
#include <vector>

#include "core/error.hpp"

namespace weir {
namespace {

constexpr std::uint64_t chunk = 1ULL << 20;

bool fits_an_int(std::uint64_t n) { return n <= static_cast<std::uint64_t>(std::numeric_limits<int>::max()); }

/// Contiguous bytes as one committed type; a number that no int holds must be whole MiB.
MPI_Datatype contiguous_bytes(std::uint64_t bytes) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    if (fits_an_int(bytes)) {
        MPI_Type_contiguous(static_cast<int>(bytes), MPI_BYTE, &type);
    } else {
        validate(bytes % chunk == 0, fmt::format("a transfer of {} bytes is too odd for MPI-IO", bytes),
                 "MPI counts are 32-bit, so that larger transfers go in pieces of 1 MiB",
                 "Choose a transfer of whole MiB.");
        MPI_Datatype mebibyte = MPI_DATATYPE_NULL;
        MPI_Type_contiguous(static_cast<int>(chunk), MPI_BYTE, &mebibyte);
        MPI_Type_contiguous(static_cast<int>(bytes / chunk), mebibyte, &type);
        MPI_Type_free(&mebibyte);
    }
    MPI_Type_commit(&type);
    return type;
}

}  // namespace

MpiType::~MpiType() { MPI_Type_free(&type_); }

MpiCount::MpiCount(std::size_t bytes) : count_(static_cast<int>(bytes)) {
    if (!fits_an_int(bytes)) {
        type_ = contiguous_bytes(bytes);
        count_ = 1;
    }
}

MpiCount::~MpiCount() {
    if (type_ != MPI_BYTE) {
        MPI_Type_free(&type_);
    }
}

MPI_Datatype nest_type(Extent const& extent) {
    for (auto const& level : extent.levels) {
        validate(fits_an_int(level.count), "a file view has too many pieces", "MPI counts are 32-bit",
                 "Leave file_view out.");
        validate(level.stride >= 0 || level.count == 1, "a file view goes backwards",
                 "MPI requires displacements that do not decrease", "Leave file_view out.");
    }
    auto type = contiguous_bytes(extent.length);
    for (auto level = extent.levels.rbegin(); level != extent.levels.rend(); ++level) {
        MPI_Datatype outer = MPI_DATATYPE_NULL;
        MPI_Type_create_hvector(static_cast<int>(level->count), 1, static_cast<MPI_Aint>(level->stride), type, &outer);
        MPI_Type_free(&type);
        type = outer;
    }
    MPI_Type_commit(&type);
    return type;
}

MPI_Datatype list_type(std::span<Piece const> pieces) {
    validate(fits_an_int(pieces.size()), "a request has too many pieces for MPI-IO", "MPI counts are 32-bit",
             "Leave together out.");
    std::vector<int> lengths;
    std::vector<MPI_Aint> places;
    lengths.reserve(pieces.size());
    places.reserve(pieces.size());
    for (auto const& piece : pieces) {
        validate(fits_an_int(piece.length), "a piece of a request has 2 GiB or more", "MPI counts are 32-bit",
                 "Leave together out.");
        lengths.push_back(static_cast<int>(piece.length));
        places.push_back(static_cast<MPI_Aint>(piece.offset));
    }
    MPI_Datatype type = MPI_DATATYPE_NULL;
    if (pieces.empty()) {
        MPI_Type_contiguous(1, MPI_BYTE, &type);  // a view must have bytes, also one that nothing goes through
    } else {
        MPI_Type_create_hindexed(static_cast<int>(pieces.size()), lengths.data(), places.data(), MPI_BYTE, &type);
    }
    MPI_Type_commit(&type);
    return type;
}

}  // namespace weir
