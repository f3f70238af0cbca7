#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "array/layout/region.hpp"
#include "array/layout/share.hpp"
#include "array/layout/share_index.hpp"
#include "core/array_section.hpp"

namespace weir::array {

/// Copies equal runs of `length` bytes from places `from_step` apart to places `to_step` apart. Local.
void copy_rows(std::byte* to, std::int64_t to_step, std::byte const* from, std::int64_t from_step, std::size_t length,
               std::uint64_t rows);

/// The same with streaming (non-temporal) stores, if the machine has them and the runs are long enough: for data that
/// would leave the caches before it is read. Other threads see the bytes as after copy_rows.
void stream_rows(std::byte* to, std::int64_t to_step, std::byte const* from, std::int64_t from_step, std::size_t length,
                 std::uint64_t rows);

using CopyRows = decltype(&copy_rows);

using Buffers = std::span<void* const>;  ///< the local array for each array of the plan

/// A contiguous piece of the plan's space that lies contiguously in a slot.
struct SlotExtent {
    std::uint64_t position = 0;
    std::uint64_t length = 0;
    std::uint64_t offset = 0;  ///< in the slot
};

/// Consecutive bytes of a region, as they lie in a slot, and one rank's share of them. The share's bytes are in local
/// arrays, in the slot, or packed in a message in the file's order; these functions copy between the three. A message
/// must hold bytes() bytes, a slot the complete window. All local.
class Window {
  public:
    /// `index`: of the share; null: each of its parts is asked.
    Window(Region const& region, std::pair<std::uint64_t, std::uint64_t> ordinals, Share const& share,
           ShareIndex const* index = nullptr)
        : region_(region), from_(ordinals.first), to_(ordinals.second), share_(share), index_(index) {}

    [[nodiscard]] std::uint64_t size() const { return to_ - from_; }

    /// The contiguous pieces of the complete window.
    [[nodiscard]] std::vector<SlotExtent> pieces() const;

    /// Of the share, within the window.
    [[nodiscard]] std::uint64_t bytes() const;

    void buffers_to_slot(Buffers, std::byte* slot) const;
    void slot_to_buffers(std::byte const* slot, Buffers, CopyRows = copy_rows) const;
    void buffers_to_message(Buffers, std::byte* message) const;
    void message_to_buffers(std::byte const* message, Buffers, CopyRows = copy_rows) const;
    void slot_to_message(std::byte const* slot, std::byte* message) const;
    void message_to_slot(std::byte const* message, std::byte* slot) const;

    /// The share's rows in the window: visit(part, rows, offset of the first row in the slot).
    template <class Visit>
    void each_row(Visit&& visit) const {
        region_.each_piece(from_, to_, [&](std::uint64_t position, std::uint64_t length, std::uint64_t ordinal) {
            each_part(position, position + length, [&](Part const& part) {
                part.each_at(position, position + length, [&](Rows const& rows) {
                    visit(part, rows, ordinal - from_ + (rows.position - position));
                });
            });
        });
    }

  private:
    template <class Visit>
    void each_part(std::uint64_t from, std::uint64_t to, Visit visit) const {
        if (index_ != nullptr) {
            index_->each(share_, from, to, visit);
        } else {
            std::ranges::for_each(share_, visit);
        }
    }

    Region const& region_;
    std::uint64_t from_;
    std::uint64_t to_;
    Share const& share_;
    ShareIndex const* index_;
};

/// The pieces of the complete window.
std::vector<SlotExtent> all_of(Region const&, std::pair<std::uint64_t, std::uint64_t> ordinals);

/// The pieces of a window that these shares of it fill, in the file's order. Takes memory for a bit a byte of the
/// window, and for the pieces.
std::vector<SlotExtent> extents_filled_by(std::vector<Window> const& shares);

/// The same with gaps of at most `gap` bytes between them joined.
std::vector<SlotExtent> joined(std::vector<SlotExtent> const& extents, std::uint64_t gap);

/// What is left of an extent beside the ones within it, in order.
std::vector<SlotExtent> holes_in(SlotExtent const& extent, std::span<SlotExtent const> filled);

}  // namespace weir::array
