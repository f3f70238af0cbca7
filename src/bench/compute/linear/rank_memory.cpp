#include "bench/compute/linear/rank_memory.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/enough_memory.hpp"
#include "comm/launch_check.hpp"
#include "core/proc.hpp"

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

Json RankMemory::warn_of_cache(Communicator const& comm, std::uint64_t bytes, Sharing sharing) {
    constexpr std::uint64_t times = 4;
    auto const cache = comm.max(last_cache().value_or(Bytes{0}).value);
    auto const node = comm.node();
    auto const of_node = sharing == Sharing::single ? bytes : bytes * node.size();
    if (of_node >= times * cache) {
        return Json::array();
    }
    return to_json({Warning{
        of_caches,
        fmt::format("{:.4g} MiB on a node are less than four times the last cache of {:.4g} MiB",
                    static_cast<double>(of_node) / (1 << 20), static_cast<double>(cache) / (1 << 20)),
        "it is the caches that are measured, in part", "Take more --memory, or a larger size, to measure memory."}});
}

std::uint64_t RankMemory::of_rank(Communicator const& comm) const {
    return least_of(comm, of_rank_here(comm.node().size()));
}

}  // namespace weir
