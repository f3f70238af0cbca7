#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/random.hpp"
#include "pattern/pattern.hpp"

namespace weir {

/// One request of one rank, or a piece of it.
struct Operation {
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
    std::uint64_t ordinal = 0;  ///< position of the piece in the rank's extent, counted in file order

    bool operator==(Operation const&) const = default;
};

/// Enumerates one rank's requests of one access, one at a time, in constant memory.
class Operations {
  public:
    /// Enumerates pieces, also if all of them are one request. `rank` is the acting rank; one that takes no part has
    /// none. The access must outlive this.
    Operations(Access const&, Rank rank);
    Operations(Operations const&) = delete;
    Operations& operator=(Operations const&) = delete;

    /// Sets the next request; false if there are no more.
    bool next(Operation& operation) {
        if (made_ == count_) {
            return false;
        }
        ++made_;
        if (kind_ == OrderKind::sequential && list_.empty()) [[likely]] {
            operation = {offset_, length_, made_ - 1};
            step();
        } else {
            jump(operation);
        }
        return true;
    }

    [[nodiscard]] std::uint64_t count() const { return count_; }

    /// Stops after at most `count` requests in total.
    void limit(std::uint64_t count) { count_ = count < count_ ? count : count_; }

  private:
    struct Digit {
        std::uint64_t left;  ///< steps before this level restarts
        std::uint64_t count;
        std::int64_t stride;
    };

    void step() {
        for (auto& digit : digits_) {
            offset_ += static_cast<std::uint64_t>(digit.stride);
            if (--digit.left > 0) [[likely]] {
                return;
            }
            digit.left = digit.count;
            offset_ -= digit.count * static_cast<std::uint64_t>(digit.stride);
        }
    }

    void jump(Operation&);

    OrderKind kind_;
    std::uint64_t count_ = 0;
    std::uint64_t made_ = 0;
    std::uint64_t offset_ = 0;
    std::uint64_t length_ = 0;
    std::vector<Digit> digits_;  ///< fastest first
    std::uint64_t start_ = 0;
    std::uint64_t pieces_ = 0;
    std::uint64_t key_ = 0;
    std::uint64_t partition_from_ = 0;  ///< for a random partition: where this rank's part of the shuffle begins
    std::vector<Piece> runs_;           ///< for a part of an array
    std::span<Piece const> list_;       ///< instead of nested strides
    std::optional<Shuffle> shuffle_;
};

/// The contiguous pieces of a part of an array, in file order.
std::vector<Piece> pieces_of(Section const&);

/// The same of several parts of an array, none of which overlap.
std::vector<Piece> pieces_of_all(std::vector<Section> const&);

/// All pieces of a rank's part, in file order, adjacent ones merged: its request if they are one. Throws Error (usage)
/// if pieces overlap, since the result would be undefined.
std::vector<Piece> list_io_pieces(Access const&, Rank);

}  // namespace weir
