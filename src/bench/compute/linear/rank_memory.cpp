#include "bench/compute/linear/rank_memory.hpp"

#include <algorithm>

#include "bench/enough_memory.hpp"

namespace weir {

void RankMemory::declare_size(OptionSet& options) {
    options.add("memory", asked_, "memory of the main arrays of all ranks of a node together; 0: 80 % of what is free");
}

void RankMemory::declare(OptionSet& options) {
    declare_size(options);
    options.add("large_pages", large_pages_, "ask the kernel for pages of 2 MiB for them");
}

std::uint64_t RankMemory::of_rank_here(std::uint64_t ranks) const {
    constexpr std::uint64_t of_node_if_unknown = std::uint64_t{1} << 30U;
    auto const all = std::max<std::uint64_t>(ranks, 1);
    if (asked_.value > 0) {
        return asked_.value / all;
    }
    auto const free = free_memory_of_each(all);
    return free ? static_cast<std::uint64_t>(share * static_cast<double>(*free)) : of_node_if_unknown / all;
}

std::uint64_t RankMemory::of_rank(Communicator const& comm) const {
    return least_of(comm, of_rank_here(comm.node().size()));
}

}  // namespace weir
