#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/memory.hpp"

namespace weir {

/// Where the data of a rank's requests lie: in one buffer for the largest of them, which all use and which stays in a
/// cache; or one behind the other in memory of several, from its begin again at its end, as a program moves its arrays.
class RequestMemory {
  public:
    /// Beyond what caches hold, more memory makes no request slower.
    static constexpr std::uint64_t most_bytes = 64ULL << 20;
    /// Behind the begin of a page, as large arrays from malloc() of the GNU C library. From the begin of a page to an
    /// offset of a few bytes within another one, copies take up to 2.6 times as long: each load waits for a store to
    /// the same place of a page just before ("4K aliasing", Intel's Optimization Reference Manual, 2023, 15.8).
    static constexpr std::uint64_t array_offset = 16;

    /// For requests of at most `largest` bytes, in so many bytes of memory if that is more. `at_page`: as direct I/O
    /// needs it.
    RequestMemory(std::uint64_t largest, std::uint64_t bytes, bool at_page)
        : buffer_(std::max(largest, std::min(bytes, most_bytes)) + (at_page ? 0 : array_offset)),
          bytes_(buffer_.bytes().subspan(at_page ? 0 : array_offset)),
          largest_(largest),
          wanted_(bytes) {}

    [[nodiscard]] std::span<std::byte> bytes() const { return bytes_; }
    [[nodiscard]] std::uint64_t largest() const { return largest_; }
    [[nodiscard]] std::uint64_t wanted() const { return wanted_; }  ///< the bytes asked for, also where it has less

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
    std::uint64_t wanted_;
    std::uint64_t at_ = 0;
};

}  // namespace weir
