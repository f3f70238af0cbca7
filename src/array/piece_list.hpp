#pragma once

#include <cstdint>
#include <vector>

#include "core/section.hpp"

namespace weir::array {

/// A contiguous piece of the plan's space, and where it lies in the local array.
struct Placed {
    std::uint64_t position = 0;
    std::uint64_t length = 0;
    std::int64_t memory = 0;
};

/// Pieces of an array without any rule, in the file's order. Takes memory by the piece: 32 bytes each.
class PieceList {
  public:
    /// Sorts the pieces, and joins those that touch in the file and in memory. Ones that overlap stay two.
    PieceList(std::vector<Placed> pieces, std::uint64_t array);

    [[nodiscard]] std::uint64_t array() const { return array_; }
    [[nodiscard]] std::vector<Placed> const& pieces() const { return pieces_; }
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
    [[nodiscard]] std::vector<Placed> within(std::uint64_t from, std::uint64_t to) const;

    [[nodiscard]] std::uint64_t memory_bytes() const;

  private:
    [[nodiscard]] std::size_t piece_of(std::uint64_t ordinal) const;

    std::uint64_t array_ = 0;
    std::vector<Placed> pieces_;
    std::vector<std::uint64_t> starts_;  ///< ordinals, and the sum of all at the end
};

}  // namespace weir::array
