#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/memory.hpp"
#include "pattern/data_memory.hpp"

namespace weir {

/// Where the data of a rank's requests lie: in one buffer for the largest of them, which all use and which stays in a
/// cache; or one behind the other in memory of several, from its begin again at its end, as a program moves its arrays.
class RequestMemory {
  public:
    /// Beyond what caches hold, more memory makes no request slower.
    static constexpr std::uint64_t most_bytes = 64ULL << 20;

    /// For requests of at most `largest` bytes.
    RequestMemory(std::uint64_t largest, DataMemory const& wanted)
        : buffer_(std::max(largest, std::min(wanted.bytes, most_bytes)) + wanted.in_page),
          bytes_(buffer_.bytes().subspan(wanted.in_page)),
          largest_(largest),
          wanted_(wanted) {}

    [[nodiscard]] std::span<std::byte> bytes() const { return bytes_; }
    [[nodiscard]] std::uint64_t largest() const { return largest_; }
    [[nodiscard]] DataMemory const& wanted() const { return wanted_; }

    /// The begin of it, for what is no request's.
    [[nodiscard]] std::span<std::byte> first(std::uint64_t length) const { return bytes_.first(length); }

    /// The place of the next request's data.
    std::span<std::byte> next(std::uint64_t length) {
        if (bytes_.size() == largest_) {
            return bytes_.first(length);
        }
        if (length > bytes_.size() - at_) {
            at_ = 0;
        }
        auto const place = bytes_.subspan(at_, length);
        at_ += length;
        return place;
    }

  private:
    Buffer buffer_;
    std::span<std::byte> bytes_;
    std::uint64_t largest_;
    DataMemory wanted_;
    std::uint64_t at_ = 0;
};

}  // namespace weir
