#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "array/layout/io_group.hpp"
#include "array/layout/share_index.hpp"
#include "comm/collective_error_c.hpp"

namespace weir::array {

/// A rank's share of a file domain.
struct RankShare {
    std::uint64_t rank = 0;
    Share share;
    ShareIndex index{};  ///< of the share; none: each part is asked
};

/// Throws Failure (WEIR_OVERLAP, WEIR_HOLES) if an element of positions [from, to) is in several shares, or in none,
/// naming the element and the ranks; in none only if holes are not allowed. Compares regular sections without visiting
/// their elements. Local.
void check_cover(Arrays const&, std::uint64_t from, std::uint64_t to, std::vector<RankShare> const&,
                 bool holes = false);

/// The same for all arrays, each rank checking a part of them; failures of this rank are kept in `failure`. `agree`
/// throws that of any rank. Collective.
void check_cover_on_all_ranks(Communicator const&, Arrays const&, bool holes, FirstFailure& failure,
                              std::function<void(FirstFailure const&)> const& agree);

/// An element for messages: "element (3, 4) of array 0".
std::string element_name(Arrays const&, std::uint64_t position);

}  // namespace weir::array
