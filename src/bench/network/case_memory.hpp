#pragma once

#include <cstdint>
#include <string>

#include "bench/network/network_options.hpp"

namespace weir {

/// What a case needs of the memory of a rank that takes part.
struct CaseMemory {
    std::uint64_t buffers = 0;  ///< for its messages
    std::uint64_t library = 0;  ///< that the MPI library takes within a call, to add up in

    [[nodiscard]] std::uint64_t all() const { return buffers + library; }

    /// " (512 MiB for its messages, 1024 MiB within the MPI library)"; empty if that takes none.
    [[nodiscard]] std::string words() const;
};

/// With buffers of these sizes. Pure.
CaseMemory memory_of(NetworkOptions const&, FunctionFacts const&, BufferSizes);

/// Of the rank that needs most, before a launch. Pure.
CaseMemory memory_of(NetworkOptions const&, FunctionFacts const&, std::uint64_t ranks);

/// The option with a message size that fits into so many bytes of a rank, of a case that needs `needed`. Pure.
std::string size_that_fits(NetworkOptions const&, FunctionFacts const&, CaseMemory const& needed, std::uint64_t bytes);

}  // namespace weir
