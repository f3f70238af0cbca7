#include "array/layout/copy_rows.hpp"

#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace weir::array {
namespace {

/// With a length known at compile time, a copy is one move.
template <std::size_t length>
void copy_short(std::byte* to, std::int64_t to_step, std::byte const* from, std::int64_t from_step,
                std::uint64_t rows) {
    for (std::uint64_t i = 0; i < rows; ++i) {
        std::memcpy(to, from, length);
        to += to_step;
        from += from_step;
    }
}

#ifdef __SSE2__
constexpr std::size_t vector = sizeof(__m128i);
/// Streaming stores write complete cache lines; shorter runs would have too many partial ones at their ends.
constexpr std::size_t least_streamed = 256;

bool can_stream(std::byte const* to, std::int64_t to_step, std::size_t length) {
    auto const apart = reinterpret_cast<std::uintptr_t>(to) | static_cast<std::uintptr_t>(to_step) | length;
    return length >= least_streamed && apart % vector == 0;
}

void stream(std::byte* to, std::byte const* from, std::size_t length) {
    auto* const target = reinterpret_cast<__m128i*>(to);
    auto const* const source = reinterpret_cast<__m128i const*>(from);
    for (std::size_t i = 0; i < length / vector; ++i) {
        _mm_stream_si128(target + i, _mm_loadu_si128(source + i));
    }
}
#endif

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

#ifdef __SSE2__
void stream_rows(std::byte* to, std::int64_t to_step, std::byte const* from, std::int64_t from_step, std::size_t length,
                 std::uint64_t rows) {
    auto const step = static_cast<std::int64_t>(length);
    if (to_step == step && from_step == step) {
        length *= rows;
        rows = 1;
    }
    if (!can_stream(to, to_step, length)) {
        return copy_rows(to, to_step, from, from_step, length, rows);
    }
    for (std::uint64_t i = 0; i < rows; ++i) {
        stream(to, from, length);
        to += to_step;
        from += from_step;
    }
    _mm_sfence();
}
#else
void stream_rows(std::byte* to, std::int64_t to_step, std::byte const* from, std::int64_t from_step, std::size_t length,
                 std::uint64_t rows) {
    copy_rows(to, to_step, from, from_step, length, rows);
}
#endif

}  // namespace weir::array
