#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace weir::array {

/// A list of counts, of which there may be millions: a byte each as long as all are small.
class Counts {
  public:
    void reserve(std::size_t counts) { small_.reserve(counts); }

    void push_back(std::uint32_t count) {
        if (large_.empty() && count <= std::numeric_limits<std::uint8_t>::max()) {
            small_.push_back(static_cast<std::uint8_t>(count));
            return;
        }
        if (large_.empty()) {
            large_.assign(small_.begin(), small_.end());
            small_ = {};
        }
        large_.push_back(count);
    }

    [[nodiscard]] std::uint32_t operator[](std::size_t i) const { return large_.empty() ? small_[i] : large_[i]; }

    [[nodiscard]] std::size_t memory_bytes() const { return small_.capacity() + large_.capacity() * sizeof large_[0]; }

  private:
    std::vector<std::uint8_t> small_;
    std::vector<std::uint32_t> large_;  ///< all of them, once one is not small
};

}  // namespace weir::array
