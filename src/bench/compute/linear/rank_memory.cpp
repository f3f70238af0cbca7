#include "bench/compute/linear/rank_memory.hpp"

#include <algorithm>
#include <limits>

#include "core/proc.hpp"

namespace weir {

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

std::uint64_t RankMemory::of_rank(Communicator const& comm) const {
    auto const mine = of_rank_here(comm.node().size());
    return std::numeric_limits<std::uint64_t>::max() - comm.max(std::numeric_limits<std::uint64_t>::max() - mine);
}

}  // namespace weir
