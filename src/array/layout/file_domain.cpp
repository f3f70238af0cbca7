#include "array/layout/file_domain.hpp"

#include <algorithm>

namespace weir::array {
namespace {

/// Where domain `index` begins.
std::uint64_t boundary(std::uint64_t bytes, std::uint64_t aggregators, std::uint64_t index, std::uint64_t align,
                       std::uint64_t phase) {
    if (index >= aggregators) {
        return bytes;
    }
    auto const even = bytes / aggregators * index + bytes % aggregators * index / aggregators;
    auto const aligned = (even + phase + align / 2) / align * align;
    return index == 0 || aligned < phase ? 0 : std::min(bytes, aligned - phase);
}

}  // namespace

std::uint64_t FileDomain::windows() const {
    return begin == end ? 0 : (end - 1 + phase) / window - (begin + phase) / window + 1;
}

std::pair<std::uint64_t, std::uint64_t> FileDomain::window_at(std::uint64_t index) const {
    auto const first = (begin + phase) / window + index;
    auto const from = first * window;
    return {from < begin + phase ? begin : from - phase, std::min(end, from + window - phase)};
}

FileDomain file_domain(std::uint64_t bytes, std::uint64_t aggregators, std::uint64_t index, std::uint64_t align,
                       std::uint64_t window, std::uint64_t phase) {
    return {boundary(bytes, aggregators, index, align, phase), boundary(bytes, aggregators, index + 1, align, phase),
            window, phase % window};
}

}  // namespace weir::array
