#include "array/layout/window.hpp"

#include <algorithm>

namespace weir::array {

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
        sum += bytes_within(share_, position, position + length);
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

std::vector<SlotExtent> extents_filled_by(std::vector<Window> const& shares, std::uint64_t gap) {
    std::vector<SlotExtent> rows;
    for (auto const& window : shares) {
        window.each_row([&](Part const&, Rows const& r, std::uint64_t offset) {
            for (std::uint64_t i = 0; i < r.rows; ++i) {
                rows.push_back({r.position + i * r.position_step, r.length, offset + i * r.position_step});
            }
        });
    }
    std::ranges::sort(rows, {}, &SlotExtent::position);
    std::vector<SlotExtent> merged;
    for (auto const& row : rows) {
        if (!merged.empty()) {
            auto& last = merged.back();
            bool const in_step = row.position - last.position == row.offset - last.offset;
            if (in_step && row.position <= last.position + last.length + gap) {
                last.length = std::max(last.length, row.position + row.length - last.position);
                continue;
            }
        }
        merged.push_back(row);
    }
    return merged;
}

}  // namespace weir::array
