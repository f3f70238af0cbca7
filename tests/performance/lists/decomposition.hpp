#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "comm/communicator.hpp"

namespace weir::performance {

/// The pieces of an irregular array that this rank holds, in elements.
struct Decomposition {
    std::int64_t elements = 0;  ///< of the array
    std::vector<std::int64_t> offsets;
    std::vector<std::int64_t> lengths;

    [[nodiscard]] std::int64_t held() const;
};

/// An atmosphere's columns, dealt out as physics packages do: runs of two or three neighbours go to ranks at random, on
/// every level the same. What is on one level is contiguous in the file. The same on every machine. Local.
Decomposition columns_at_random(Communicator const&, std::int64_t levels, std::int64_t columns);

}  // namespace weir::performance
