#include "storage/backends/mpiio/mpi_types.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/error.hpp"
#include "storage/backends/mpiio/view_places.hpp"

namespace weir {
namespace {

bool fits_an_int(std::uint64_t n) { return n <= static_cast<std::uint64_t>(std::numeric_limits<int>::max()); }

/// Pieces of a file as a committed type. MPI's lengths and counts are 32-bit: longer pieces are split.
MPI_Datatype type_of(std::span<Piece const> pieces) {
    constexpr std::uint64_t longest = 1ULL << 30;
    std::vector<int> lengths;
    std::vector<MPI_Aint> places;
    lengths.reserve(pieces.size());
    places.reserve(pieces.size());
    for (auto const& piece : pieces) {
        for (std::uint64_t done = 0; done < piece.length; done += longest) {
            lengths.push_back(static_cast<int>(std::min(longest, piece.length - done)));
            places.push_back(static_cast<MPI_Aint>(piece.offset + done));
        }
    }
    validate(fits_an_int(lengths.size()), "a request has too many pieces for MPI-IO", "MPI counts are 32-bit",
             "Leave together out.");
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_hindexed(static_cast<int>(lengths.size()), lengths.data(), places.data(), MPI_BYTE, &type);
    MPI_Type_commit(&type);
    return type;
}

/// Contiguous bytes as one committed type.
MPI_Datatype contiguous_bytes(std::uint64_t bytes) {
    Piece const whole{0, bytes};
    return type_of({&whole, 1});
}

}  // namespace

MpiCount::MpiCount(std::size_t bytes) : count_(static_cast<int>(bytes)) {
    if (!fits_an_int(bytes)) {
        type_.emplace(contiguous_bytes(bytes));
        count_ = 1;
    }
}

MPI_Datatype nest_type(Extent const& extent) {
    for (auto const& level : extent.levels) {
        validate(fits_an_int(level.count), "a file view has too many pieces", "MPI counts are 32-bit",
                 "Leave file_view out.");
    }
    validate(goes_forward_once(extent), "a file view goes backwards, or has bytes twice",
             "MPI requires displacements that do not decrease, and no overlap", "Leave file_view out.");
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
    // A view must have bytes, even if nothing is accessed through it.
    return pieces.empty() ? contiguous_bytes(1) : type_of(pieces);
}

}  // namespace weir
