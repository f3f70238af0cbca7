#include "array/copy_rows.hpp"

#include <cstring>

namespace weir::array {
namespace {

/// With a length that the compiler knows, a copy is one move.
template <std::size_t length>
void copy_short(std::byte* to, std::int64_t to_step, std::byte const* from, std::int64_t from_step,
                std::uint64_t rows) {
    for (std::uint64_t i = 0; i < rows; ++i) {
        std::memcpy(to, from, length);
        to += to_step;
        from += from_step;
    }
}

}  // namespace

void copy_rows(std::byte* to, std::int64_t to_step, std::byte const* from, std::int64_t from_step, std::size_t length,
               std::uint64_t rows) {
    auto const step = static_cast<std::int64_t>(length);
    if (to_step == step && from_step == step) {
        std::memcpy(to, from, length * rows);
        return;
    }
    switch (length) {
        case 1:
            return copy_short<1>(to, to_step, from, from_step, rows);
        case 2:
            return copy_short<2>(to, to_step, from, from_step, rows);
        case 4:
            return copy_short<4>(to, to_step, from, from_step, rows);
        case 8:
            return copy_short<8>(to, to_step, from, from_step, rows);
        case 16:
            return copy_short<16>(to, to_step, from, from_step, rows);
        default:
            break;
    }
    for (std::uint64_t i = 0; i < rows; ++i) {
        std::memcpy(to, from, length);
        to += to_step;
        from += from_step;
    }
}

}  // namespace weir::array
