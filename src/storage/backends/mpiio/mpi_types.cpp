#include "storage/backends/mpiio/mpi_types.hpp"

#include <fmt/format.h>

#include <array>
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

MpiType nest_type(Extent const& extent) {
    auto type = contiguous_bytes(extent.length);
    for (auto level = extent.levels.rbegin(); level != extent.levels.rend(); ++level) {
        validate(fits_an_int(level->count), "a file view has too many pieces", "MPI counts are 32-bit",
                 "Leave file_view out.");
        MPI_Datatype outer = MPI_DATATYPE_NULL;
        MPI_Type_create_hvector(static_cast<int>(level->count), 1, static_cast<MPI_Aint>(level->stride), type, &outer);
        MPI_Type_free(&type);
        type = outer;
    }
    MPI_Type_commit(&type);
    return MpiType(type);
}

MpiInfo::MpiInfo(Hints const& hints) {
    if (hints.empty()) {
        return;
    }
    MPI_Info_create(&info_);
    for (auto const& [key, value] : hints) {
        MPI_Info_set(info_, key.c_str(), value.c_str());
    }
}

MpiInfo::~MpiInfo() {
    if (info_ != MPI_INFO_NULL) {
        MPI_Info_free(&info_);
    }
}

Hints read_and_free(MPI_Info info) {
    Hints hints;
    if (info == MPI_INFO_NULL) {
        return hints;
    }
    int count = 0;
    MPI_Info_get_nkeys(info, &count);
    for (int i = 0; i < count; ++i) {
        std::array<char, MPI_MAX_INFO_KEY + 1> key{};
        MPI_Info_get_nthkey(info, i, key.data());
        int length = 0;
        int found = 0;
        MPI_Info_get_valuelen(info, key.data(), &length, &found);
        std::vector<char> value(static_cast<std::size_t>(length) + 1, '\0');
        MPI_Info_get(info, key.data(), length, value.data(), &found);
        if (found != 0) {
            hints.emplace(key.data(), value.data());
        }
    }
    MPI_Info_free(&info);
    return hints;
}

}  // namespace weir
