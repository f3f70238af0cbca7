#include "bench/compute/linear/rank_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/error.hpp"
#include "core/proc.hpp"

namespace weir {
namespace {

std::uint64_t least_of(Communicator const& comm, std::uint64_t mine) {
    constexpr auto most = std::numeric_limits<std::uint64_t>::max();
    return most - comm.max(most - mine);
}

}  // namespace

void RankMemory::declare(OptionSet& options) {
    options.add("memory", asked_, "memory of the main arrays of all ranks of a node together; 0: 80 % of what is free");
    options.add("large_pages", large_pages_, "ask the kernel for pages of 2 MiB for them");
}

std::uint64_t RankMemory::of_node() const {
    constexpr std::uint64_t if_unknown = std::uint64_t{1} << 30U;
    if (asked_.value > 0) {
        return asked_.value;
    }
    auto const free = available_memory();
    return free ? static_cast<std::uint64_t>(share * static_cast<double>(free->value)) : if_unknown;
}

std::uint64_t RankMemory::of_rank_here(std::uint64_t ranks) const {
    return of_node() / std::max<std::uint64_t>(ranks, 1);
}

void RankMemory::refuse_more(Communicator const& comm, std::uint64_t bytes,
                             std::function<std::string(std::uint64_t)> const& largest) {
    auto const of_node = comm.node().size();
    auto const free = available_memory();
    auto const fits = least_of(comm, free ? free->value / of_node : std::numeric_limits<std::uint64_t>::max());
    if (bytes > fits) {
        throw Error({"this does not fit into memory",
                     fmt::format("each rank needs {} MiB, and {} MiB are free for each of {} on a node", bytes >> 20U,
                                 fits >> 20U, of_node),
                     "Take more nodes, or a smaller size: " + largest(fits) + " fits.", ExitCode::cannot_run});
    }
}

std::uint64_t RankMemory::of_rank(Communicator const& comm) const {
    return least_of(comm, of_rank_here(comm.node().size()));
}

}  // namespace weir
