#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "comm/collective_error_c.hpp"
#include "comm/communicator.hpp"

namespace weir::array {

/// A message to or from a rank.
struct Message {
    std::uint64_t rank = 0;
    std::vector<std::byte> bytes;
};

/// Sparse exchange: sends messages to ranks that do not expect them, and returns those received, by rank. Collective.
/// Memory and messages only for pairs of ranks that communicate (Hoefler, Siebert, Lumsdaine 2010: NBX). Does not
/// throw: a rank that has a failure, or gets one here, keeps it, and no rank receives a message. A rank may still be
/// leaving one exchange when another one enters the next: consecutive exchanges need different tags.
std::vector<Message> sparse_exchange(Communicator const&, std::vector<Message> outgoing, int tag, FirstFailure&);

}  // namespace weir::array
