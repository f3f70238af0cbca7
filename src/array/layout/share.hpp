#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <variant>
#include <vector>

#include "array/layout/pieces.hpp"
#include "core/array_section.hpp"

namespace weir::array {

/// What a rank holds of one array by a list of pieces: the list, and where its units are in the plan's space.
class PieceList {
  public:
    /// `unit`: bytes of an element; `origin`: position of the array's first byte.
    PieceList(SharedPieces pieces, std::uint64_t unit, std::uint64_t origin, std::uint64_t array)
        : pieces_(std::move(pieces)), unit_(unit), origin_(origin), array_(array) {}

    /// Pieces counted in bytes of the plan's space.
    PieceList(std::vector<LocalPiece> pieces, std::uint64_t array)
        : PieceList(std::make_shared<Pieces const>(std::move(pieces)), 1, 0, array) {}

    [[nodiscard]] std::uint64_t array() const { return array_; }
    [[nodiscard]] std::uint64_t unit() const { return unit_; }
    [[nodiscard]] std::uint64_t origin() const { return origin_; }
    [[nodiscard]] SharedPieces const& pieces() const { return pieces_; }
    [[nodiscard]] std::uint64_t bytes() const { return pieces_->units() * unit_; }
    [[nodiscard]] std::uint64_t begin() const { return pieces_->size() == 0 ? 0 : at(pieces_->position(0)); }
    [[nodiscard]] std::uint64_t end() const { return pieces_->size() == 0 ? 0 : at(pieces_->end()); }

    /// How many of its bytes lie before a position.
    [[nodiscard]] std::uint64_t count_before(std::uint64_t position) const;

    /// See Section.
    template <class Visit>
    void each(std::uint64_t from, std::uint64_t to, Visit&& visit) const {
        for (auto i = from < to ? pieces_->piece_of(from / unit_) : 0; from < to; ++i) {
            auto const start = pieces_->start(i) * unit_;
            auto const skipped = from - start;
            auto const length = std::min(pieces_->length(i) * unit_ - skipped, to - from);
            auto const memory = static_cast<std::int64_t>(pieces_->memory(i) * unit_ + skipped);
            visit(Rows{at(pieces_->position(i)) + skipped, memory, length, 1, 0, 0});
            from += length;
        }
    }

    /// First index, and one past the last, of the pieces that have bytes at positions [from, to).
    [[nodiscard]] std::pair<std::size_t, std::size_t> within(std::uint64_t from, std::uint64_t to) const;

  private:
    [[nodiscard]] std::uint64_t at(std::uint64_t position) const { return origin_ + position * unit_; }

    SharedPieces pieces_;
    std::uint64_t unit_;
    std::uint64_t origin_;
    std::uint64_t array_;
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

/// Lists whose memory has been counted.
using CountedLists = std::set<Pieces const*>;

/// Its bytes of memory; and how many of them belong to lists of pieces, or of boxes of one array. A list of several
/// arrays counts once, and one that was counted before does not.
std::uint64_t memory_of(Share const&, CountedLists& counted);
std::uint64_t memory_of_lists(Share const&, CountedLists& counted);
std::uint64_t memory_of(Share const&);
std::uint64_t memory_of_lists(Share const&);

/// Serialises a share as others need it, without places in memory; lists have only their pieces with bytes at positions
/// [from, to), and are sent once for all arrays that they describe. And the inverse.
std::vector<std::byte> packed(Share const&, std::uint64_t from, std::uint64_t to);
Share unpacked(std::span<std::byte const>);

}  // namespace weir::array
