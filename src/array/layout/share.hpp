#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "core/array_section.hpp"

namespace weir::array {

/// A contiguous piece of the plan's space, and where it lies in the local array.
struct LocalPiece {
    std::uint64_t position = 0;
    std::uint64_t length = 0;
    std::int64_t memory = 0;
};

/// Pieces of an array without any rule, in the file's order. Takes memory by the piece: 32 bytes each.
class PieceList {
  public:
    /// Sorts the pieces, and joins those that touch in the file and in memory. Ones that overlap stay two.
    PieceList(std::vector<LocalPiece> pieces, std::uint64_t array);

    [[nodiscard]] std::uint64_t array() const { return array_; }
    [[nodiscard]] std::vector<LocalPiece> const& pieces() const { return pieces_; }
    [[nodiscard]] std::uint64_t bytes() const { return starts_.back(); }
    [[nodiscard]] std::uint64_t begin() const { return pieces_.empty() ? 0 : pieces_.front().position; }
    [[nodiscard]] std::uint64_t end() const;

    /// How many of its bytes lie before a position.
    [[nodiscard]] std::uint64_t count_before(std::uint64_t position) const;

    /// As of Section.
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

    /// The pieces that touch [from, to), cut to it.
    [[nodiscard]] std::vector<LocalPiece> within(std::uint64_t from, std::uint64_t to) const;

    [[nodiscard]] std::uint64_t memory_bytes() const;

  private:
    [[nodiscard]] std::size_t piece_of(std::uint64_t ordinal) const;

    std::uint64_t array_ = 0;
    std::vector<LocalPiece> pieces_;
    std::vector<std::uint64_t> starts_;  ///< ordinals, and the sum of all at the end
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
