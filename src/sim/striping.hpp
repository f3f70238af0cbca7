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
    std::uint64_t partial = 0;        ///< stripes at its ends of which it is a part
};

/// A file's stripes, on its targets in turn.
struct Striping {
    std::uint64_t stripe = 1;   ///< bytes
    std::uint64_t stripes = 1;  ///< targets of this file
    std::uint64_t first = 0;    ///< target of its first stripe
    std::uint64_t targets = 1;  ///< of the file system

    /// The target at this place (below `stripes`) among those of the file.
    [[nodiscard]] std::uint64_t target_of(std::uint64_t place) const { return (first + place) % targets; }
};

/// The requests that some bytes of a file need: on each of its targets they lie together, and are cut into requests of
/// at most so many bytes; the first of each target come first, then the second, and so on.
class Chunks {
  public:
    Chunks() = default;
    Chunks(Striping const& striping, std::uint64_t offset, std::uint64_t bytes, std::uint64_t most)
        : striping_(striping), begin_(offset), end_(offset + bytes), most_(most), left_(bytes) {
        auto const touched = bytes == 0 ? 0 : (end_ - 1) / striping.stripe - begin_ / striping.stripe + 1;
        places_ = std::min(striping.stripes, touched);
    }

    [[nodiscard]] bool empty() const { return left_ == 0; }

    /// The next one; there must be one.
    Chunk next() {
        for (;;) {
            auto const place = (begin_ / striping_.stripe + turn_ % places_) % striping_.stripes;
            auto const [first, last] = on_target(place);
            auto const from = first + turn_ / places_ * most_;
            ++turn_;
            if (from < last) {
                Chunk chunk{striping_.target_of(place), std::min(most_, last - from), from};
                chunk.stripe = from / striping_.stripe * striping_.stripes + place;
                chunk.partial = partial(from, from + chunk.bytes);
                left_ -= chunk.bytes;
                return chunk;
            }
        }
    }

  private:
    /// At the ends of these bytes of a target, units that are not in them as a whole: stripes, or requests of less.
    [[nodiscard]] std::uint64_t partial(std::uint64_t first, std::uint64_t last) const {
        auto const unit = std::min(striping_.stripe, most_);
        std::uint64_t const at_begin = first % unit == 0 ? 0 : 1;
        std::uint64_t const at_end = last % unit == 0 ? 0 : 1;
        return first / unit == last / unit ? std::max(at_begin, at_end) : at_begin + at_end;
    }

    /// Where they begin and end in the part of the file that a target has.
    [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> on_target(std::uint64_t place) const {
        auto const before = [&](std::uint64_t offset) {
            auto const row = offset / (striping_.stripe * striping_.stripes);
            auto const within = offset % (striping_.stripe * striping_.stripes);
            auto const at = place * striping_.stripe;
            return row * striping_.stripe + (within > at ? std::min(within - at, striping_.stripe) : 0);
        };
        return {before(begin_), before(end_)};
    }

    Striping striping_{};
    std::uint64_t begin_ = 0;
    std::uint64_t end_ = 0;
    std::uint64_t most_ = 1;
    std::uint64_t places_ = 0;  ///< targets that have some of them
    std::uint64_t turn_ = 0;
    std::uint64_t left_ = 0;  ///< bytes
};

/// Files begin on the targets in turn.
inline Striping striping_of(std::uint64_t file, std::uint64_t stripe, std::uint64_t stripes, std::uint64_t targets) {
    return {stripe, stripes, file * stripes % targets, targets};
}

}  // namespace weir::sim
