#pragma once

#include <cstdint>

namespace weir {

/// The memory that a rank's data lie in.
struct DataMemory {
    static constexpr std::uint64_t page = 4096;  ///< bytes, whatever pages a machine has

    /// Its requests take their data one behind the other, from its begin again at its end. 0: all in one buffer for the
    /// largest of them, which stays in a cache.
    std::uint64_t bytes = 0;
    /// How far behind the begin of a page it begins, below 4096: large arrays from malloc() of the GNU C library do by
    /// 16. A copy between the same place of a page and one a few bytes behind it takes up to 2.6 times as long: each
    /// load waits for a store just before ("4K aliasing", Intel's Optimization Reference Manual, 2023, 15.8).
    std::uint64_t in_page = 0;

    bool operator==(DataMemory const&) const = default;
};

}  // namespace weir
