#pragma once

#include <cstddef>
#include <span>

namespace weir {

/// Minimum, mean and maximum of one value per rank, and the rank of the maximum.
struct Spread {
    double min = 0;
    double mean = 0;
    double max = 0;
    std::size_t argmax = 0;
};

/// `values` holds one value per rank and is not empty.
Spread spread(std::span<double const> values);

}  // namespace weir
