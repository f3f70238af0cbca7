#pragma once

#include <variant>
#include <vector>

#include "array/piece_list.hpp"
#include "core/section.hpp"

namespace weir::array {

/// What a rank holds of one array: a section or a list of pieces.
class Part {
  public:
    Part(Section const&);    // NOLINT(google-explicit-constructor)
    Part(PieceList pieces);  // NOLINT(google-explicit-constructor)

    [[nodiscard]] Section const* section() const { return std::get_if<Section>(&kind_); }
    [[nodiscard]] PieceList const* pieces() const { return std::get_if<PieceList>(&kind_); }

    [[nodiscard]] std::uint64_t array() const;
    [[nodiscard]] std::uint64_t bytes() const;
    [[nodiscard]] std::uint64_t begin() const { return begin_; }
    [[nodiscard]] std::uint64_t end() const { return end_; }

    /// How many of its bytes lie before a position of the plan's space.
    [[nodiscard]] std::uint64_t count_before(std::uint64_t position) const;

    /// How many lie at positions [from, to).
    [[nodiscard]] std::uint64_t count_within(std::uint64_t from, std::uint64_t to) const {
        return misses(from, to) ? 0 : count_before(to) - count_before(from);
    }

    /// The bytes with ordinals [from, to), in the file's order.
    template <class Visit>
    void each(std::uint64_t from, std::uint64_t to, Visit&& visit) const {
        std::visit([&](auto const& kind) { kind.each(from, to, visit); }, kind_);
    }

    /// The bytes at positions [from, to), in the file's order.
    template <class Visit>
    void each_at(std::uint64_t from, std::uint64_t to, Visit&& visit) const {
        if (!misses(from, to)) {
            each(count_before(from), count_before(to), visit);
        }
    }

  private:
    /// Told without counting: of a list of boxes, most miss a window.
    [[nodiscard]] bool misses(std::uint64_t from, std::uint64_t to) const { return to <= begin_ || end_ <= from; }

    std::variant<Section, PieceList> kind_;
    std::uint64_t begin_;
    std::uint64_t end_;
};

/// All that a rank holds of the plan's arrays.
using Share = std::vector<Part>;

std::uint64_t bytes_of(Share const&);

/// The same with sections of as few dimensions as can be: the one to copy by.
Share coalesced(Share);

/// How many contiguous pieces of the file it has, unless two follow each other by chance.
std::uint64_t count_runs(Part const&);

/// Bytes that a share has at positions [from, to).
std::uint64_t bytes_within(Share const&, std::uint64_t from, std::uint64_t to);

/// Bytes of memory that it takes; and those of them that come from lists, of pieces or of boxes of one array.
std::uint64_t memory_of(Share const&);
std::uint64_t memory_of_lists(Share const&);

/// A share as bytes, cut to what it has at positions [from, to) where it is a list; and back.
std::vector<std::byte> packed(Share const&, std::uint64_t from, std::uint64_t to);
Share unpacked(std::span<std::byte const>);

}  // namespace weir::array
