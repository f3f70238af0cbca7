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

}  // namespace weir::array
