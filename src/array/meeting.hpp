#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "array/failure.hpp"
#include "comm/communicator.hpp"

namespace weir::array {

/// A message to or from a rank.
struct Letter {
    std::uint64_t rank = 0;
    std::vector<std::byte> bytes;
};

/// Sends letters to ranks that do not know of them, and returns those that came, by rank. Collective. Takes memory and
/// messages for the ranks that write to each other alone (Hoefler, Siebert, Lumsdaine 2010: NBX).
/// It does not fail: a rank that has a failure, or gets one here, keeps it, and no rank gets any letter.
/// A rank may still be leaving one meeting when another one begins the next: meetings in a row need different tags.
std::vector<Letter> meet(Communicator const&, std::vector<Letter> outgoing, int tag, FirstFailure&);

}  // namespace weir::array
