#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "core/array_section.hpp"

namespace weir::array {

/// A contiguous piece of the plan's space, and its place in the local array.
struct LocalPiece {
    std::uint64_t position = 0;
    std::uint64_t length = 0;
    std::int64_t memory = 0;
};

/// Irregular pieces of an array, in the file's order. Takes 32 bytes of memory per piece.
class PieceList {
  public:
    /// Sorts the pieces, and joins those that are adjacent in file and memory. Overlapping ones stay separate.
    PieceList(std::vector<LocalPiece> pieces, std::uint64_t array);

    [[nodiscard]] std::uint64_t array() const { return array_; }
    [[nodiscard]] std::vector<LocalPiece> const& pieces() const { return pieces_; }
    [[nodiscard]] std::uint64_t bytes() const { return starts_.back(); }
    [[nodiscard]] std::uint64_t begin() const { return pieces_.empty() ? 0 : pieces_.front().position; }
    [[nodiscard]] std::uint64_t end() const;

    /// How many of its bytes lie before a position.
    [[nodiscard]] std::uint64_t count_before(std::uint64_t position) const;

    /// See Section.
    template <class Visit>
    void each(std::uint64_t from, std::uint64_t to, Visit&& visit) const {
        for (auto i = from < to ? piece_of(from) : 0; from < to; ++i) {
            auto const& piece = pieces_[i];
            auto const skipped = from - starts_[i];
            auto const length = std::min(piece.length - skipped, to - from);
            visit(Rows{piece.position + skipped, piece.memory + static_cast<std::int64_t>(skipped), length, 1, 0, 0});
            from += length;
        }
    }

    /// The pieces that intersect [from, to), clipped to it.
    [[nodiscard]] std::vector<LocalPiece> within(std::uint64_t from, std::uint64_t to) const;

    [[nodiscard]] std::uint64_t memory_bytes() const;

  private:
    [[nodiscard]] std::size_t piece_of(std::uint64_t ordinal) const;

    std::uint64_t array_ = 0;
    std::vector<LocalPiece> pieces_;
    std::vector<std::uint64_t> starts_;  ///< first ordinals, and the total at the end
};

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

    /// The number of its bytes before a position of the plan's space.
    [[nodiscard]] std::uint64_t count_before(std::uint64_t position) const;

    /// The number of its bytes at positions [from, to).
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
    /// Answers without counting: most boxes of a list miss a window.
    [[nodiscard]] bool misses(std::uint64_t from, std::uint64_t to) const { return to <= begin_ || end_ <= from; }

    std::variant<Section, PieceList> kind_;
    std::uint64_t begin_;
    std::uint64_t end_;
};

/// A rank's part of all arrays of the plan.
using Share = std::vector<Part>;

std::uint64_t bytes_of(Share const&);

/// The same, each section with the fewest possible dimensions, for copying.
Share coalesced(Share);

/// The number of contiguous pieces in the file, not counting that two may happen to be adjacent.
std::uint64_t count_runs(Part const&);

/// Bytes of a share at positions [from, to).
std::uint64_t bytes_within(Share const&, std::uint64_t from, std::uint64_t to);

/// Its bytes of memory; and how many of them belong to lists of pieces, or of boxes of one array.
std::uint64_t memory_of(Share const&);
std::uint64_t memory_of_lists(Share const&);

/// Serialises a share, lists clipped to positions [from, to); and the inverse.
std::vector<std::byte> packed(Share const&, std::uint64_t from, std::uint64_t to);
Share unpacked(std::span<std::byte const>);

}  // namespace weir::array
