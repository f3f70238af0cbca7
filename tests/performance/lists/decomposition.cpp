#include "lists/decomposition.hpp"

#include <algorithm>
#include <numeric>
#include <random>

namespace weir::performance {

std::int64_t Decomposition::held() const { return std::accumulate(lengths.begin(), lengths.end(), std::int64_t{0}); }

Decomposition columns_at_random(Communicator const& comm, std::int64_t levels, std::int64_t columns) {
    std::mt19937_64 random(16);  // its numbers are standardised, those of distributions are not
    Decomposition level;
    for (std::int64_t first = 0; first < columns;) {
        auto const length = std::min<std::int64_t>(2 + static_cast<std::int64_t>(random() % 2), columns - first);
        if (random() % comm.size() == comm.rank()) {
            level.offsets.push_back(first);
            level.lengths.push_back(length);
        }
        first += length;
    }
    Decomposition all;
    all.elements = levels * columns;
    for (std::int64_t l = 0; l < levels; ++l) {
        for (std::size_t i = 0; i < level.offsets.size(); ++i) {
            all.offsets.push_back(l * columns + level.offsets[i]);
            all.lengths.push_back(level.lengths[i]);
        }
    }
    return all;
}

}  // namespace weir::performance
