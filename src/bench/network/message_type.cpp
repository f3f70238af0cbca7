#include "bench/network/message_type.hpp"

#include <climits>
#include <limits>

#include "core/error.hpp"
#include "core/units.hpp"

namespace weir {

MessageType::MessageType(std::uint64_t bytes) : count_(static_cast<int>(bytes)) {
    if (bytes <= INT_MAX) {
        return;
    }
    constexpr std::uint64_t block = std::uint64_t{1} << 30U;
    MPI_Datatype blocks = MPI_DATATYPE_NULL;
    MPI_Datatype big = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(static_cast<int>(block), MPI_BYTE, &big);
    MPI_Type_contiguous(static_cast<int>(bytes / block), big, &blocks);
    int const counts[] = {1, static_cast<int>(bytes % block)};
    MPI_Aint const places[] = {0, static_cast<MPI_Aint>(bytes / block * block)};
    MPI_Datatype const types[] = {blocks, MPI_BYTE};
    MPI_Type_create_struct(2, counts, places, types, &type_);
    MPI_Type_commit(&type_);
    MPI_Type_free(&big);
    MPI_Type_free(&blocks);
    count_ = 1;
}

MessageType::~MessageType() {
    if (type_ != MPI_BYTE) {
        MPI_Type_free(&type_);
    }
}

ElementCount float_count(std::uint64_t bytes) {
    auto const count = bytes / sizeof(float);
    validate(count <= std::numeric_limits<ElementCount>::max(), "the message is too large for a reduction",
             format_bytes(Bytes(bytes)) + " are more than 2^31 - 1 floats", "choose at most 8 GiB - 4 B");
    return static_cast<ElementCount>(count);
}

}  // namespace weir
