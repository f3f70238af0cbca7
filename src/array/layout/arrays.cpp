#include "array/layout/arrays.hpp"

#include <algorithm>
#include <limits>
#include <map>

namespace weir::array {
namespace {

/// Programs have many variables on one mesh, and describe each by itself.
void share_lists(std::vector<Description>& descriptions) {
    std::multimap<std::uint64_t, SharedPieces> known;
    for (auto& d : descriptions) {
        if (!d.pieces) {
            continue;
        }
        auto const [first, last] = known.equal_range(d.pieces->fingerprint());
        auto const same = std::find_if(
            first, last, [&](auto const& one) { return one.second == d.pieces || *one.second == *d.pieces; });
        if (same != last) {
            d.pieces = same->second;
        } else {
            known.emplace(d.pieces->fingerprint(), d.pieces);
        }
    }
}

}  // namespace

Arrays::Arrays(std::vector<Description> all) : descriptions(std::move(all)), origins{0} {
    share_lists(descriptions);
    std::uint64_t in_file = 0;
    for (auto const& d : descriptions) {
        origins.push_back(origins.back() + d.bytes());
        in_file += d.file_bytes();  // each less than 2^63
        if (in_file > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
            fail(WEIR_BAD_ARGUMENT, "the arrays are too large", "together they have 2^63 bytes or more",
                 "Files cannot hold them.");
        }
    }
}

Share Arrays::share(CommRank place, Use use) const {
    Share all;
    for (std::size_t i = 0; i < descriptions.size(); ++i) {
        for (auto& part : share_of(descriptions[i], place, use, i, origins[i])) {
            all.push_back(std::move(part));
        }
    }
    return all;
}

std::uint64_t Arrays::memory_of_boxes() const {
    std::uint64_t sum = 0;
    for (auto const& d : descriptions) {
        sum += 2 * d.starts.size() * (sizeof(Indices) + d.shape.size() * sizeof(Indices::value_type));
    }
    return sum;
}

}  // namespace weir::array
