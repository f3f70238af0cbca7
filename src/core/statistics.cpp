#include "core/statistics.hpp"

#include <algorithm>
#include <numeric>

#include "core/error.hpp"

namespace weir {

Spread spread(std::span<double const> values) {
    expect(!values.empty(), "a spread needs a value");
    auto const [least, greatest] = std::minmax_element(values.begin(), values.end());
    auto const sum = std::accumulate(values.begin(), values.end(), 0.0);
    return {*least, sum / static_cast<double>(values.size()), *greatest,
            static_cast<std::size_t>(greatest - values.begin())};
}

}  // namespace weir
