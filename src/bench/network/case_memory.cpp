#include "bench/network/case_memory.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/units.hpp"

namespace weir {
namespace {

constexpr unsigned mib = 20;

/// In whole MiB, or KiB if it is smaller.
std::uint64_t rounded_down(std::uint64_t bytes) {
    constexpr unsigned kib = 10;
    auto const digits = bytes >> mib > 0 ? mib : bytes >> kib > 0 ? kib : 2U;
    return bytes >> digits << digits;
}

}  // namespace

std::string CaseMemory::words() const {
    return library == 0 ? ""
                        : fmt::format(" ({} MiB for its messages, {} MiB within the MPI library, to add up in)",
                                      buffers >> mib, library >> mib);
}

CaseMemory memory_of(NetworkOptions const& options, FunctionFacts const& facts, BufferSizes sizes) {
    auto const larger = static_cast<double>(std::max(sizes.send, sizes.receive));
    return {CallBuffers::room(sizes, options.cache_to_exceed(), options.memory),
            static_cast<std::uint64_t>(facts.library_copies * larger)};
}

CaseMemory memory_of(NetworkOptions const& options, FunctionFacts const& facts, std::uint64_t ranks) {
    auto const together = facts.traffic == Traffic::single ? 2 : options.group_of(ranks);
    return memory_of(options, facts, facts.buffers({options.bytes.value, together, options.choices}));
}

std::string size_that_fits(NetworkOptions const& options, FunctionFacts const& facts, CaseMemory const& needed,
                           std::uint64_t bytes) {
    auto const of_any_size = memory_of(options, facts, BufferSizes{}).all();
    if (bytes <= of_any_size || needed.all() <= of_any_size) {
        return "--cache on";
    }
    auto const share = static_cast<double>(bytes - of_any_size) / static_cast<double>(needed.all() - of_any_size);
    auto const size = static_cast<std::uint64_t>(share * static_cast<double>(options.bytes.value));
    return "--bytes " + format_bytes(Bytes(rounded_down(size)));
}

}  // namespace weir
