#include "array/window.hpp"

namespace weir::array {
namespace {

/// Where rows begin, and the way from one to the next.
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

struct InLetter {
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

/// Reading from it alone; the ends of a copy are of one type for both.
std::byte* unconst(std::byte const* bytes) { return const_cast<std::byte*>(bytes); }

}  // namespace

std::uint64_t Window::bytes() const {
    std::uint64_t sum = 0;
    region_.each_piece(from_, to_, [&](std::uint64_t position, std::uint64_t length, std::uint64_t) {
        sum += bytes_within(share_, position, position + length);
    });
    return sum;
}

void Window::buffers_to_slot(Buffers buffers, std::byte* slot) const { copy(*this, InBuffers{buffers}, InSlot{slot}); }

void Window::slot_to_buffers(std::byte const* slot, Buffers buffers, CopyRows copy_rows) const {
    copy(*this, InSlot{unconst(slot)}, InBuffers{buffers}, copy_rows);
}

void Window::buffers_to_letter(Buffers buffers, std::byte* letter) const {
    copy(*this, InBuffers{buffers}, InLetter{letter});
}

void Window::letter_to_buffers(std::byte const* letter, Buffers buffers, CopyRows copy_rows) const {
    copy(*this, InLetter{unconst(letter)}, InBuffers{buffers}, copy_rows);
}

void Window::slot_to_letter(std::byte const* slot, std::byte* letter) const {
    copy(*this, InSlot{unconst(slot)}, InLetter{letter});
}

void Window::letter_to_slot(std::byte const* letter, std::byte* slot) const {
    copy(*this, InLetter{unconst(letter)}, InSlot{slot});
}

}  // namespace weir::array
