#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "comm/communicator.hpp"

namespace weir {

/// The least value of all ranks. Collective.
std::uint64_t least_of(Communicator const&, std::uint64_t mine);

/// What is free on the node that has least, divided by its ranks; the greatest number where no node tells. Collective.
std::uint64_t free_memory_of_rank(Communicator const&);

/// Throws Error (cannot_run), on all ranks, if some node has not so many bytes free for each of its ranks, and some
/// more; it tells `largest`, the size in words that would fit into the bytes that it is given. Collective.
void refuse_more_memory(Communicator const&, std::uint64_t bytes,
                        std::function<std::string(std::uint64_t)> const& largest);

}  // namespace weir
