#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace weir::array {

/// A contiguous piece of an array, and its place in the local array.
struct LocalPiece {
    std::uint64_t position = 0;
    std::uint64_t length = 0;
    std::int64_t memory = 0;
};

/// Whole numbers, at 4 bytes each if all fit, else at 8.
class Numbers {
  public:
    explicit Numbers(std::uint64_t greatest = 0) : narrow_(greatest <= ~std::uint32_t{0}) {}

    void reserve(std::size_t count);
    void push_back(std::uint64_t value) {
        if (narrow_) {
            narrows_.push_back(static_cast<std::uint32_t>(value));
        } else {
            wides_.push_back(value);
        }
    }
    /// Calls `work` with the vector of the numbers' type: for loops, which then need not look at each number's.
    template <class Work>
    void with_vector(Work&& work) {
        if (narrow_) {
            work(narrows_);
        } else {
            work(wides_);
        }
    }
    [[nodiscard]] std::uint64_t operator[](std::size_t i) const { return narrow_ ? narrows_[i] : wides_[i]; }
    [[nodiscard]] std::size_t size() const { return narrow_ ? narrows_.size() : wides_.size(); }

    /// The index of the first number that is not less, or greater than `value`; they must be in order.
    [[nodiscard]] std::size_t lower_bound(std::uint64_t value) const;
    [[nodiscard]] std::size_t upper_bound(std::uint64_t value) const;

    /// Those with indices [from, to), as they are sent, each less `base`; and the inverse for `count` numbers.
    void append_to(std::vector<std::byte>&, std::size_t from, std::size_t to, std::uint64_t base) const;
    [[nodiscard]] static Numbers taken_from(std::span<std::byte const>&, std::uint64_t greatest, std::size_t count);
    [[nodiscard]] static std::size_t width(std::uint64_t greatest) { return Numbers(greatest).narrow_ ? 4 : 8; }

    [[nodiscard]] std::uint64_t memory_bytes() const;
    [[nodiscard]] std::uint64_t fingerprint(std::uint64_t seed) const;
    bool operator==(Numbers const&) const = default;

  private:
    bool narrow_;
    std::vector<std::uint32_t> narrows_;
    std::vector<std::uint64_t> wides_;
};

/// A list of irregular pieces in the file's order, counted in units: the elements of an array. It knows neither their
/// size nor the array, so that all arrays of one distribution have one list. Takes 8 bytes of memory a piece, 4 more if
/// the pieces have another order in memory; twice that where numbers exceed 32 bits. Immutable.
class Pieces {
  public:
    /// Sorts the pieces, and joins those that are adjacent in file and memory. Overlapping ones stay separate.
    explicit Pieces(std::vector<LocalPiece> pieces);

    /// A user's list, one after the other in memory; all lengths are 1 if there are none.
    Pieces(std::span<std::int64_t const> offsets, std::int64_t const* lengths);

    [[nodiscard]] std::size_t size() const { return positions_.size(); }
    [[nodiscard]] std::uint64_t position(std::size_t i) const { return positions_[i]; }
    [[nodiscard]] std::uint64_t start(std::size_t i) const { return starts_[i]; }  ///< units before it; i may be size()
    [[nodiscard]] std::uint64_t length(std::size_t i) const { return starts_[i + 1] - starts_[i]; }
    [[nodiscard]] std::uint64_t memory(std::size_t i) const { return in_order_ ? starts_[i] : memory_[i]; }

    [[nodiscard]] std::uint64_t units() const { return starts_[size()]; }
    [[nodiscard]] std::uint64_t end() const { return size() == 0 ? 0 : position(size() - 1) + length(size() - 1); }

    /// The first piece at this position or behind it; the one that holds the unit with this ordinal.
    [[nodiscard]] std::size_t piece_at(std::uint64_t position) const { return positions_.lower_bound(position); }
    [[nodiscard]] std::size_t piece_of(std::uint64_t ordinal) const { return starts_.upper_bound(ordinal) - 1; }

    /// visit(position, length) for what lies at positions [from, to), clipped to them. The pieces must not overlap.
    template <class Visit>
    void each_run(std::uint64_t from, std::uint64_t to, Visit&& visit) const {
        auto i = piece_at(from);
        i -= i > 0 && position(i - 1) + length(i - 1) > from ? 1 : 0;
        for (; i < size() && position(i) < to; ++i) {
            auto const begin = std::max(from, position(i));
            visit(begin, std::min(to, position(i) + length(i)) - begin);
        }
    }

    /// The index of a piece that begins before the one before it ends; size() if none does.
    [[nodiscard]] std::size_t first_overlap() const { return first_overlap_; }

    /// Pieces [from, to), as they are sent; and the inverse. Their places in memory stay at home.
    void append_to(std::vector<std::byte>&, std::size_t from, std::size_t to) const;
    [[nodiscard]] std::size_t sent_bytes(std::size_t from, std::size_t to) const;
    [[nodiscard]] static Pieces taken_from(std::span<std::byte const>&);

    [[nodiscard]] std::uint64_t memory_bytes() const;

    /// The same for equal lists, and hardly ever for others.
    [[nodiscard]] std::uint64_t fingerprint() const { return fingerprint_; }
    bool operator==(Pieces const&) const = default;

  private:
    Pieces() = default;
    void take(std::vector<LocalPiece> pieces);
    bool take_ordered(std::span<std::int64_t const> offsets, std::int64_t const* lengths);

    Numbers positions_;
    Numbers starts_;  ///< of each piece, and the total at the end
    Numbers memory_;
    bool in_order_ = true;  ///< one after the other in memory: no places are kept
    std::size_t first_overlap_ = 0;
    std::uint64_t fingerprint_ = 0;
};

using SharedPieces = std::shared_ptr<Pieces const>;

}  // namespace weir::array
