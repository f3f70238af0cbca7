#include "array/memory_growth.hpp"

#include <algorithm>
#include <fstream>

#include "core/error.hpp"
#include "core/proc.hpp"
#include "core/text_file.hpp"

namespace weir::performance {
namespace {

/// Of a line such as "Pss:  123 kB".
std::uint64_t bytes_in(char const* file, char const* key) {
    auto const kib = number_of_line(read_text_file(file).value_or(""), key);
    validate(kib.has_value(), std::string("the kernel does not tell ") + key, file, "Memory cannot be measured here.");
    return *kib * 1024;
}

/// Once all ranks hold what they hold: of shared memory, each is given its share.
std::uint64_t held(Communicator const& comm) {
    comm.barrier();
    auto const mine = bytes_in("/proc/self/smaps_rollup", "Pss");
    comm.barrier();
    return comm.sum(mine);
}

}  // namespace

MemoryGrowth::MemoryGrowth(Communicator const& comm) : comm_(comm), before_(held(comm)) {
    // Sets VmHWM back to VmRSS (proc(5)).
    std::ofstream("/proc/self/clear_refs") << "5";
}

std::uint64_t MemoryGrowth::bytes() const {
    auto const most = bytes_in("/proc/self/status", "VmHWM");
    auto const now = bytes_in("/proc/self/status", "VmRSS");
    auto const given_back = comm_.sum(most - std::min(most, now));
    auto const after = held(comm_) + given_back;
    return after - std::min(after, before_);
}

}  // namespace weir::performance
