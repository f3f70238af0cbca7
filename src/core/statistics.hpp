#pragma once

#include <cstddef>
#include <span>

namespace weir {

/// Least, mean and greatest of one value a rank, and the rank that has the greatest.
struct Spread {
    double min = 0;
    double mean = 0;
    double max = 0;
    std::size_t argmax = 0;
};

/// `values` holds one value a rank and is not empty.
Spread spread(std::span<double const> values);

}  // namespace weir
