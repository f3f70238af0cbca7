#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "array/copy_rows.hpp"
#include "array/part.hpp"
#include "array/region.hpp"

namespace weir::array {

using Buffers = std::span<void* const>;  ///< the local array of each array of the plan

/// Some bytes of a region, which lie one after the other in a slot, and a share of them. A rank's bytes of a window are
/// in its local arrays, in the slot, or packed in a letter, in the file's order; these copy them from one to another.
/// A letter must hold bytes() bytes, a slot all of the window. All local.
class Window {
  public:
    Window(Region const& region, std::pair<std::uint64_t, std::uint64_t> ordinals, Share const& share)
        : region_(region), from_(ordinals.first), to_(ordinals.second), share_(share) {}

    [[nodiscard]] std::uint64_t size() const { return to_ - from_; }

    /// Of the share in the window.
    [[nodiscard]] std::uint64_t bytes() const;

    void buffers_to_slot(Buffers, std::byte* slot) const;
    void slot_to_buffers(std::byte const* slot, Buffers, CopyRows = copy_rows) const;
    void buffers_to_letter(Buffers, std::byte* letter) const;
    void letter_to_buffers(std::byte const* letter, Buffers, CopyRows = copy_rows) const;
    void slot_to_letter(std::byte const* slot, std::byte* letter) const;
    void letter_to_slot(std::byte const* letter, std::byte* slot) const;

    /// The share's rows in the window: visit(part, rows, offset of the first row in the slot).
    template <class Visit>
    void each_row(Visit&& visit) const {
        region_.each_piece(from_, to_, [&](std::uint64_t position, std::uint64_t length, std::uint64_t ordinal) {
            for (auto const& part : share_) {
                part.each_at(position, position + length, [&](Rows const& rows) {
                    visit(part, rows, ordinal - from_ + (rows.position - position));
                });
            }
        });
    }

  private:
    Region const& region_;
    std::uint64_t from_;
    std::uint64_t to_;
    Share const& share_;
};

}  // namespace weir::array
