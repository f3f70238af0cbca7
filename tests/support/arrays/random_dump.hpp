#pragma once

#include "array/planner/plan_options.hpp"
#include "support/arrays/dump_case.hpp"
#include "support/arrays/random_layouts.hpp"
#include "support/arrays/random_options.hpp"

namespace weir::testing {

/// Ones, primes and others, none of them 0; at most some hundred elements.
inline Indices shape_of_corners(std::mt19937_64& random, std::size_t dims) {
    constexpr std::array<std::int64_t, 6> primes{2, 3, 5, 7, 11, 13};
    auto const most = std::array<std::uint64_t, 8>{0, 200, 16, 9, 6, 4, 3, 3}.at(dims);
    Indices shape;
    for (std::size_t i = 0; i < dims; ++i) {
        auto const kind = random_below(random, 4);
        auto const prime = primes.at(random_below(random, primes.size()));
        auto const any = static_cast<std::int64_t>(1 + random_below(random, most));
        shape.push_back(kind == 0 ? 1 : kind == 1 && static_cast<std::uint64_t>(prime) <= most ? prime : any);
    }
    return shape;
}

/// A grid with most of its ranks along one dimension, which then holds little or nothing on many of them.
inline Indices steep_grid(std::mt19937_64& random, std::size_t dims, std::uint64_t ranks) {
    Indices grid(dims, 1);
    grid[random_below(random, dims)] = static_cast<std::int64_t>(ranks);
    return grid;
}

inline Layout random_holders(std::mt19937_64& random, Layout const& array, std::uint64_t ranks) {
    auto layout = distributed(random, array, ranks);
    if (layout.distribution == Distribution::blocks && random_below(random, 2) == 0) {
        layout.grid = steep_grid(random, layout.shape.size(), ranks);
    }
    if (random_below(random, 2) == 0) {
        layout.memory_order = layout.order == WEIR_C_ORDER ? WEIR_FORTRAN_ORDER : WEIR_C_ORDER;
    }
    return layout;
}

/// Bytes of a number, of which an element consists.
inline std::int64_t random_divisor(std::mt19937_64& random, std::uint64_t bytes) {
    Indices divisors;
    for (std::uint64_t n = 1; n <= bytes; ++n) {
        if (bytes % n == 0) {
            divisors.push_back(static_cast<std::int64_t>(n));
        }
    }
    return divisors[random_below(random, divisors.size())];
}

/// Any case on up to so many ranks; those where mistakes are likely are frequent.
inline DumpCase random_dump(std::mt19937_64& random, std::uint64_t most_ranks) {
    DumpCase dump;
    dump.write.ranks = 1 + random_below(random, most_ranks);
    dump.read.ranks = random_below(random, 3) == 0 ? dump.write.ranks : 1 + random_below(random, most_ranks);
    for (auto n = random_below(random, 2) * random_below(random, 3) + 1; n > 0; --n) {
        auto array = random_layout(random, 1);
        array.shape = shape_of_corners(random, array.shape.size());
        if (random_below(random, 8) == 0) {
            array.shape[random_below(random, array.shape.size())] = 0;
        }
        if (!array.larger_shape.empty()) {
            array.larger_shape = array.shape;
            for (std::size_t i = 0; i < array.shape.size(); ++i) {
                array.larger_shape[i] += array.larger_start[i] + static_cast<std::int64_t>(random_below(random, 3));
            }
        }
        if (random_below(random, 3) == 0) {
            array.element_bytes = 1;
        }
        dump.write.layouts.push_back(random_holders(random, array, dump.write.ranks));
        dump.read.layouts.push_back(random_holders(random, array, dump.read.ranks));
    }
    dump.write.options = random_options(random, dump.write.ranks);
    dump.read.options = random_options(random, dump.read.ranks);
    if (dump.write.options.find("checksum=true") == std::string::npos) {
        dump.read.options = array::overridden(dump.read.options, "checksum=false");  // there is nothing to compare with
    }
    dump.before = random_below(random, 2) * random_below(random, 6000);
    dump.offset = random_below(random, 2) * random_below(random, 1000);
    auto const call = random_below(random, 6);
    if (call == 0) {
        dump.gaps = random_counts(random, dump.write.layouts.size(), 200);
    }
    dump.start = call == 1;
    dump.move = dump.write.ranks == dump.read.ranks && random_below(random, 2) == 0;
    for (std::size_t i = 0; call == 2 && i < dump.write.layouts.size(); ++i) {
        dump.numbers.push_back(random_divisor(random, dump.write.layouts[i].element_bytes));
    }
    return dump;
}

}  // namespace weir::testing
