#include "array/layout/window.hpp"

#include <algorithm>
#include <cstring>

#include "array/layout/marks.hpp"

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

namespace {

/// The start of rows, and the stride between them.
struct At {
    std::byte* first;
    std::int64_t step;
};

struct InBuffers {
    Buffers buffers;
    At operator()(Part const& part, Rows const& rows, std::uint64_t) {
        return {static_cast<std::byte*>(buffers[part.array()]) + rows.memory, rows.memory_step};
    }
};

struct InSlot {
    std::byte* slot;
    At operator()(Part const&, Rows const& rows, std::uint64_t offset) {
        return {slot + offset, static_cast<std::int64_t>(rows.position_step)};
    }
};

struct InMessage {
    std::byte* next;
    At operator()(Part const&, Rows const& rows, std::uint64_t) {
        auto* const first = next;
        next += rows.length * rows.rows;
        return {first, static_cast<std::int64_t>(rows.length)};
    }
};

template <class From, class To>
void copy(Window const& window, From from, To to, CopyRows copy_rows = array::copy_rows) {
    window.each_row([&](Part const& part, Rows const& rows, std::uint64_t offset) {
        auto const source = from(part, rows, offset);
        auto const target = to(part, rows, offset);
        copy_rows(target.first, target.step, source.first, source.step, rows.length, rows.rows);
    });
}

/// For copies that only read from it: both ends of a copy have the same type.
std::byte* unconst(std::byte const* bytes) { return const_cast<std::byte*>(bytes); }

}  // namespace

std::uint64_t Window::bytes() const {
    std::uint64_t sum = 0;
    region_.each_piece(from_, to_, [&](std::uint64_t position, std::uint64_t length, std::uint64_t) {
        each_part(position, position + length,
                  [&](Part const& part) { sum += part.count_within(position, position + length); });
    });
    return sum;
}

void Window::buffers_to_slot(Buffers buffers, std::byte* slot) const { copy(*this, InBuffers{buffers}, InSlot{slot}); }

void Window::slot_to_buffers(std::byte const* slot, Buffers buffers, CopyRows copy_rows) const {
    copy(*this, InSlot{unconst(slot)}, InBuffers{buffers}, copy_rows);
}

void Window::buffers_to_message(Buffers buffers, std::byte* message) const {
    copy(*this, InBuffers{buffers}, InMessage{message});
}

void Window::message_to_buffers(std::byte const* message, Buffers buffers, CopyRows copy_rows) const {
    copy(*this, InMessage{unconst(message)}, InBuffers{buffers}, copy_rows);
}

void Window::slot_to_message(std::byte const* slot, std::byte* message) const {
    copy(*this, InSlot{unconst(slot)}, InMessage{message});
}

void Window::message_to_slot(std::byte const* message, std::byte* slot) const {
    copy(*this, InMessage{unconst(message)}, InSlot{slot});
}

std::vector<SlotExtent> all_of(Region const& region, std::pair<std::uint64_t, std::uint64_t> ordinals) {
    std::vector<SlotExtent> all;
    region.each_piece(ordinals.first, ordinals.second,
                      [&](std::uint64_t position, std::uint64_t length, std::uint64_t ordinal) {
                          all.push_back({position, length, ordinal - ordinals.first});
                      });
    return all;
}

std::vector<SlotExtent> Window::pieces() const { return all_of(region_, {from_, to_}); }

std::vector<SlotExtent> extents_filled_by(std::vector<Window> const& shares) {
    std::vector<SlotExtent> extents;
    if (shares.empty()) {
        return extents;
    }
    Marks held(shares.front().size());
    for (auto const& window : shares) {
        window.each_row([&](Part const&, Rows const& r, std::uint64_t offset) {
            for (std::uint64_t i = 0; i < r.rows; ++i) {
                held.mark(offset + i * r.position_step, r.length);
            }
        });
    }
    for (auto const& piece : shares.front().pieces()) {
        held.each_run(piece.offset, piece.offset + piece.length, [&](std::uint64_t first, std::uint64_t count) {
            extents.push_back({piece.position + (first - piece.offset), count, first});
        });
    }
    return joined(extents, 0);  // pieces of the region may touch
}

std::vector<SlotExtent> joined(std::vector<SlotExtent> const& extents, std::uint64_t gap) {
    std::vector<SlotExtent> merged;
    for (auto const& extent : extents) {
        if (!merged.empty()) {
            auto& last = merged.back();
            bool const in_step = extent.position - last.position == extent.offset - last.offset;
            if (in_step && extent.position <= last.position + last.length + gap) {
                last.length = extent.position + extent.length - last.position;
                continue;
            }
        }
        merged.push_back(extent);
    }
    return merged;
}

std::vector<SlotExtent> holes_in(SlotExtent const& extent, std::span<SlotExtent const> filled) {
    std::vector<SlotExtent> holes;
    auto const add = [&](std::uint64_t from, std::uint64_t to) {
        if (from < to) {
            holes.push_back({extent.position + (from - extent.offset), to - from, from});
        }
    };
    auto reached = extent.offset;
    for (auto const& one : filled) {
        add(reached, one.offset);
        reached = one.offset + one.length;
    }
    add(reached, extent.offset + extent.length);
    return holes;
}

}  // namespace weir::array
