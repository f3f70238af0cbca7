#pragma once

#include <vector>

#include "array/layout/io_group.hpp"
#include "comm/first_failure.hpp"

namespace weir::array {

/// What a rank holds of a domain.
struct RankShare {
    std::uint64_t rank = 0;
    Share share;
};

/// Throws Failure (WEIR_OVERLAP, WEIR_HOLES) where shares have an element of positions [from, to) twice, or not at
/// all, naming the element and the ranks. Regular sections are compared without looking at their elements. Local.
void check_cover(Arrays const&, std::uint64_t from, std::uint64_t to, std::vector<RankShare> const&);

/// The same of all arrays, each rank looking at a part of them; local problems are kept in `failure`. Collective.
void check_cover_on_all_ranks(Communicator const&, Arrays const&, FirstFailure& failure);

/// An element, as people name it: "element (3, 4) of array 0".
std::string element_name(Arrays const&, std::uint64_t position);

}  // namespace weir::array
