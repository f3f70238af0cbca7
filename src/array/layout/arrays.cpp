#include "array/layout/arrays.hpp"

#include <limits>

namespace weir::array {

Arrays::Arrays(std::vector<Description> all) : descriptions(std::move(all)), origins{0} {
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

void Arrays::forget_pieces() {
    for (auto& d : descriptions) {
        d.pieces = {};
    }
}

std::vector<Description> Arrays::with_pieces_of(Share const& share) const {
    auto all = descriptions;
    for (auto const& part : share) {
        if (auto const* list = part.pieces()) {
            auto& pieces = all[part.array()].pieces;
            pieces = list->pieces();
            for (auto& piece : pieces) {
                piece.position -= origins[part.array()];
            }
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
