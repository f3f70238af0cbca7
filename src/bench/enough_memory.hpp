#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "comm/communicator.hpp"

namespace weir {

/// The problem that refuse_more_memory() tells.
constexpr char const* does_not_fit = "this does not fit into memory";

/// The least value of all ranks. Collective.
std::uint64_t least_of(Communicator const&, std::uint64_t mine);

/// What is free on this node for each of so many ranks, within this process's limit of address space; nothing where
/// neither is told. Local.
std::optional<std::uint64_t> free_memory_of_each(std::uint64_t ranks);

/// That of the node that has least; the greatest number where no node tells. Collective.
std::uint64_t free_memory_of_rank(Communicator const&);

/// What of the free bytes of a rank its arrays may take: programs and libraries take more by the way, for messages and
/// the buffers of a BLAS. Pure.
std::uint64_t without_room(std::uint64_t free_bytes);

/// Throws Error (cannot_run), on all ranks, if some node has not so many bytes free for each of its ranks, and some
/// more; it tells `largest`, the size in words that would fit into the bytes that it is given. Collective.
void refuse_more_memory(Communicator const&, std::uint64_t bytes,
                        std::function<std::string(std::uint64_t)> const& largest, std::string const& for_what = "");

/// The same where ranks need different amounts: what all of a node need together counts, and what each needs within a
/// limit of its address space. `for_what` is told behind the bytes. Collective.
void refuse_more_memory_together(Communicator const&, std::uint64_t mine,
                                 std::function<std::string(std::uint64_t)> const& largest,
                                 std::string const& for_what = "");

}  // namespace weir
