#include "bench/enough_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/error.hpp"
#include "core/proc.hpp"

namespace weir {
namespace {

constexpr auto most = std::numeric_limits<std::uint64_t>::max();

}  // namespace

std::uint64_t least_of(Communicator const& comm, std::uint64_t mine) { return most - comm.max(most - mine); }

std::optional<std::uint64_t> free_memory_of_each(std::uint64_t ranks) {
    auto const free = available_memory();
    auto const within = address_space_left();
    if (!free && !within) {
        return {};
    }
    return std::min(free ? free->value / std::max<std::uint64_t>(ranks, 1) : most, within ? within->value : most);
}

std::uint64_t free_memory_of_rank(Communicator const& comm) {
    return least_of(comm, free_memory_of_each(comm.node().size()).value_or(most));
}

std::uint64_t without_room(std::uint64_t free_bytes) {
    constexpr auto room = std::uint64_t{32} << 20U;
    return free_bytes - std::min(room, free_bytes / 6);  // sizes by default take 80 %
}

void refuse_more_memory(Communicator const& comm, std::uint64_t bytes,
                        std::function<std::string(std::uint64_t)> const& largest, std::string const& for_what) {
    constexpr auto steady = 50;  // a part of it may be taken by the time that the suggestion is followed
    auto const free = free_memory_of_rank(comm);
    auto const fits = without_room(free);
    if (bytes > fits) {
        throw Error({does_not_fit,
                     fmt::format("each rank needs {} MiB{}, and {} MiB can be had for each of {} on a node",
                                 bytes >> 20U, for_what, fits >> 20U, comm.node().size()),
                     "Take more nodes, or another size: " + largest(fits - fits / steady) + " fits.",
                     ExitCode::cannot_run});
    }
}

void refuse_more_memory_together(Communicator const& comm, std::uint64_t mine,
                                 std::function<std::string(std::uint64_t)> const& largest,
                                 std::string const& for_what) {
    auto const node = comm.node();
    auto const of_each = (node.sum(mine) + node.size() - 1) / node.size();
    auto const within = address_space_left();
    auto const alone = within && mine > without_room(within->value) ? mine : 0;
    refuse_more_memory(comm, comm.max(std::max(of_each, alone)), largest, for_what);
}

}  // namespace weir
