#pragma once

#include <algorithm>
#include <vector>

#include "array/layout/description.hpp"

namespace weir::array {

/// A plan's arrays: how they are distributed, and where each begins in the plan's space.
struct Arrays {
    std::vector<Description> descriptions;
    std::vector<std::uint64_t> origins;  ///< and the total at the end

    /// Arrays with equal lists of pieces then have the same list. Throws Failure if the total exceeds a file offset.
    explicit Arrays(std::vector<Description> all);
    [[nodiscard]] std::uint64_t bytes() const { return origins.back(); }
    [[nodiscard]] Share share(CommRank, Use) const;

    /// Bytes of memory that boxes take.
    [[nodiscard]] std::uint64_t memory_of_boxes() const;

    /// Visits the part of each array within `bytes` bytes of the space: visit(array, its first byte, bytes before,
    /// bytes).
    template <class Visit>
    void each_array(std::uint64_t position, std::uint64_t bytes, Visit visit) const {
        for (std::size_t i = 0; i < descriptions.size(); ++i) {
            auto const from = std::max(position, origins[i]);
            auto const to = std::min(position + bytes, origins[i + 1]);
            if (from < to) {
                visit(i, from - origins[i], from - position, to - from);
            }
        }
    }
};

}  // namespace weir::array
