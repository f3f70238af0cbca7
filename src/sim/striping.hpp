#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

namespace weir::sim {

/// A contiguous part of a file on one target.
struct Chunk {
    std::uint64_t target = 0;
    std::uint64_t bytes = 0;
    std::uint64_t object_offset = 0;  ///< in the part of the file that the target has
    std::uint64_t stripe = 0;         ///< number of its first stripe in the file
    bool partial = false;             ///< not of complete stripes
};

/// A file's stripes, on its targets in turn.
struct Striping {
    std::uint64_t stripe = 1;   ///< bytes
    std::uint64_t stripes = 1;  ///< targets of this file
    std::uint64_t first = 0;    ///< target of its first stripe
    std::uint64_t targets = 1;  ///< of the file system

    /// Bytes of one stripe on each target.
    [[nodiscard]] std::uint64_t row() const { return stripe * stripes; }

    /// The target at this place (below `stripes`) among those of the file.
    [[nodiscard]] std::uint64_t target_of(std::uint64_t place) const { return (first + place) % targets; }
};

/// The requests that some bytes of a file need: what lies together on a target is one, of at most so many bytes.
class Chunks {
  public:
    Chunks() = default;
    Chunks(Striping const& striping, std::uint64_t offset, std::uint64_t bytes, std::uint64_t most)
        : striping_(striping),
          begin_(offset),
          end_(offset + bytes),
          most_(most),
          rows_(std::max<std::uint64_t>(1, most / striping.stripe)),
          row_(offset / striping.stripe / striping.stripes / rows_ * rows_) {
        start_row();
    }

    [[nodiscard]] bool empty() const { return begin_ == end_ || row_ * striping_.row() >= end_; }

    /// The next one; there must be one.
    Chunk next() {
        for (;;) {
            if (piece_.bytes == 0 && !find_piece()) {
                continue;
            }
            auto chunk = piece_;
            chunk.bytes = std::min(most_, piece_.bytes);
            piece_.bytes -= chunk.bytes;
            piece_.object_offset += chunk.bytes;
            chunk.partial = chunk.object_offset % unit() != 0 || chunk.bytes % unit() != 0;
            if (piece_.bytes == 0) {
                step();
            }
            return chunk;
        }
    }

  private:
    [[nodiscard]] std::uint64_t unit() const { return std::min(striping_.stripe, most_); }

    /// Begins with the target of the first of the bytes in these rows.
    void start_row() {
        auto const first = std::max(begin_, row_ * striping_.row());
        auto const last = std::min(end_, (row_ + rows_) * striping_.row());
        place_ = first / striping_.stripe % striping_.stripes;
        left_ = last > first ? std::min(striping_.stripes, (last - 1) / striping_.stripe - first / striping_.stripe + 1)
                             : 0;
    }

    void step() {
        place_ = (place_ + 1) % striping_.stripes;
        if (--left_ == 0) {
            row_ += rows_;
            start_row();
        }
    }

    /// What these rows have on the current target; false if that is nothing.
    bool find_piece() {
        auto const [size, width] = std::pair(striping_.stripe, striping_.row());
        auto const at = place_ * size;  // of the target's stripe in each row
        auto const after = begin_ > at ? (begin_ - at) / width : 0;
        auto const first = std::max(row_, after + (begin_ >= at + after * width + size ? 1 : 0));
        if (end_ <= at) {
            step();
            return false;
        }
        auto const last = std::min(row_ + rows_ - 1, (end_ - at - 1) / width);
        if (first > last) {
            step();
            return false;
        }
        auto const skipped = begin_ > at + first * width ? begin_ - at - first * width : 0;
        auto const kept = std::min(size, end_ - at - last * width);
        piece_ = {striping_.target_of(place_), last * size + kept - first * size - skipped, first * size + skipped,
                  first * striping_.stripes + place_, false};
        return true;
    }

    Striping striping_{};
    std::uint64_t begin_ = 0;
    std::uint64_t end_ = 0;
    std::uint64_t most_ = 1;
    std::uint64_t rows_ = 1;   ///< of stripes that one request can cover
    std::uint64_t row_ = 0;    ///< the first of the current ones
    std::uint64_t place_ = 0;  ///< target among those of the file
    std::uint64_t left_ = 0;   ///< targets of the current rows, with this one
    Chunk piece_{};            ///< what is left on it
};

/// Files begin on the targets in turn.
inline Striping striping_of(std::uint64_t file, std::uint64_t stripe, std::uint64_t stripes, std::uint64_t targets) {
    return {stripe, stripes, file * stripes % targets, targets};
}

}  // namespace weir::sim
