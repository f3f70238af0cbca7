#include "array/layout/region.hpp"

#include <algorithm>

namespace weir::array {

Region::Region(std::vector<Section> const& sections) : starts_{0} {
    for (auto const& section : sections) {
        if (section.bytes() > 0) {
            sections_.push_back(coalesced(section));
            starts_.push_back(starts_.back() + section.bytes());
        }
    }
}

std::uint64_t Region::pieces() const {
    std::uint64_t sum = 0;
    for (auto const& section : sections_) {
        sum += count_runs(section);
    }
    return sum;
}

Region Region::whole(std::uint64_t bytes) {
    Section all;
    all.dim[0] = {bytes, 0, bytes, bytes, bytes, 1};
    return Region({all});
}

std::size_t Region::section_of(std::uint64_t ordinal) const {
    auto const next = std::ranges::upper_bound(starts_, ordinal);
    return static_cast<std::size_t>(std::max<std::ptrdiff_t>(next - starts_.begin(), 1)) - 1;
}

std::uint64_t Domain::windows() const {
    return begin == end ? 0 : (end - 1 + phase) / window - (begin + phase) / window + 1;
}

std::pair<std::uint64_t, std::uint64_t> Domain::window_at(std::uint64_t index) const {
    auto const first = (begin + phase) / window + index;
    auto const from = first * window;
    return {from < begin + phase ? begin : from - phase, std::min(end, from + window - phase)};
}

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

Domain domain_of(std::uint64_t bytes, std::uint64_t aggregators, std::uint64_t index, std::uint64_t align,
                 std::uint64_t window, std::uint64_t phase) {
    return {boundary(bytes, aggregators, index, align, phase), boundary(bytes, aggregators, index + 1, align, phase),
            window, phase % window};
}

}  // namespace weir::array
