#include "core/suggest.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace weir {
namespace {

/// Levenshtein distance, row by row.
std::size_t changes_between(std::string_view one, std::string_view other) {
    std::vector<std::size_t> row(other.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < one.size(); ++i) {
        auto diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < other.size(); ++j) {
            auto const changed = diagonal + (one[i] == other[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

}  // namespace

std::string nearest_word(std::string_view word, std::vector<std::string> const& known) {
    std::string best;
    auto least = word.size() / 3 + 1;
    for (auto const& candidate : known) {
        if (auto const changes = changes_between(word, candidate); changes < least) {
            least = changes;
            best = candidate;
        }
    }
    return best;
}

}  // namespace weir
