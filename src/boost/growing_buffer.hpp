#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

namespace weir::boost {

/// Bytes that are not cleared when they become more, and whose memory stays when they become fewer.
class GrowingBuffer {
  public:
    [[nodiscard]] std::byte* data() { return memory_.get(); }
    [[nodiscard]] std::byte const* data() const { return memory_.get(); }
    [[nodiscard]] std::uint64_t size() const { return size_; }

    /// Keeps what it holds. May throw std::bad_alloc.
    void resize(std::uint64_t bytes) {
        if (bytes > room_) {
            auto const more = std::max(bytes, room_ + room_ / 2);
            auto grown = std::make_unique_for_overwrite<std::byte[]>(more);
            if (size_ > 0) {
                std::memcpy(grown.get(), memory_.get(), size_);
            }
            memory_ = std::move(grown);
            room_ = more;
        }
        size_ = bytes;
    }

  private:
    std::unique_ptr<std::byte[]> memory_;
    std::uint64_t room_ = 0;
    std::uint64_t size_ = 0;
};

}  // namespace weir::boost
