#pragma once

#include <cstdint>
#include <map>
#include <utility>

namespace weir::sim {

/// Bytes of a file that lie together.
struct Together {
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;

    [[nodiscard]] std::uint64_t end() const { return offset + bytes; }
};

/// Writes of a rank that follow each other are joined in its node's memory, until they fill a unit of the file.
class WriteGathering {
  public:
    /// Units of that many bytes; 0: nothing is joined.
    explicit WriteGathering(std::uint64_t unit) : unit_(unit) {}

    [[nodiscard]] bool is_on() const { return unit_ > 0; }

    struct Sent {
        Together left;  ///< was gathered before, and is not continued
        Together full;  ///< the units that are full now
    };

    /// A rank writes; what has to go to targets now.
    Sent add(std::uint64_t rank, std::uint64_t file, Together written) {
        auto& held = held_[{rank, file}];
        Sent sent;
        if (held.end() != written.offset) {
            sent.left = std::exchange(held, {written.offset, 0});
        }
        held.bytes += written.bytes;
        if (auto const cut = held.end() / unit_ * unit_; cut > held.offset) {
            sent.full = {held.offset, cut - held.offset};
            held = {cut, held.end() - cut};
        }
        return sent;
    }

    /// What a rank still has of a file, which it then has no longer.
    Together take(std::uint64_t rank, std::uint64_t file) {
        auto const found = held_.extract({rank, file});
        return found.empty() ? Together{} : found.mapped();
    }

    /// Calls take(file, what) for all that a rank still has.
    template <class Take>
    void take_all(std::uint64_t rank, Take take) {
        auto const first = held_.lower_bound({rank, 0});
        auto last = first;
        for (; last != held_.end() && last->first.first == rank; ++last) {
            take(last->first.second, last->second);
        }
        held_.erase(first, last);
    }

  private:
    std::uint64_t unit_;
    std::map<std::pair<std::uint64_t, std::uint64_t>, Together> held_;  ///< by rank and file
};

}  // namespace weir::sim
