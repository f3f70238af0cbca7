#include "bench/enough_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
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
    // Programs and libraries take more by the way: messages, buffers of a BLAS.
    constexpr auto room = std::uint64_t{32} << 20U;
    constexpr auto steady = 50;  // a part of it may be taken by the time that the suggestion is followed
    auto const free = free_memory_of_rank(comm);
    auto const fits = free - std::min(room, free / 6);  // sizes by default take 80 %
    if (bytes > fits) {
        throw Error({"this does not fit into memory",
                     fmt::format("each rank needs {} MiB, and {} MiB can be had for each of {} on a node", bytes >> 20U,
                                 fits >> 20U, comm.node().size()),
                     "Take more nodes, or a smaller size: " + largest(fits - fits / steady) + " fits.",
                     ExitCode::cannot_run});
    }
}

}  // namespace weir
