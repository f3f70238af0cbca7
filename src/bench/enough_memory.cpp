#include "bench/enough_memory.hpp"

#include <fmt/format.h>

#include <limits>

#include "core/error.hpp"
#include "core/proc.hpp"

namespace weir {

std::uint64_t least_of(Communicator const& comm, std::uint64_t mine) {
    constexpr auto most = std::numeric_limits<std::uint64_t>::max();
    return most - comm.max(most - mine);
}

std::uint64_t free_memory_of_rank(Communicator const& comm) {
    auto const ranks = comm.node().size();
    auto const free = available_memory();
    return least_of(comm, free ? free->value / ranks : std::numeric_limits<std::uint64_t>::max());
}

void refuse_more_memory(Communicator const& comm, std::uint64_t bytes,
                        std::function<std::string(std::uint64_t)> const& largest) {
    auto const fits = free_memory_of_rank(comm);
    if (bytes > fits) {
        throw Error({"this does not fit into memory",
                     fmt::format("each rank needs {} MiB, and {} MiB are free for each of {} on a node", bytes >> 20U,
                                 fits >> 20U, comm.node().size()),
                     "Take more nodes, or a smaller size: " + largest(fits) + " fits.", ExitCode::cannot_run});
    }
}

}  // namespace weir
