#include "bench/warm_up.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/memory.hpp"
#include "core/proc.hpp"

namespace weir {
namespace {

constexpr double page_bytes = 4096;

double per_page(TouchTime const& touch) {
    return touch.bytes == 0 ? 0 : touch.elapsed_s * page_bytes / static_cast<double>(touch.bytes);
}

}  // namespace

std::uint64_t share_of_node(std::uint64_t bytes, std::uint64_t node_ranks, std::uint64_t ranks) {
    auto const per_rank = bytes / ranks + (bytes % ranks == 0 ? 0 : 1);
    return std::min(bytes, per_rank * node_ranks);
}

WarmUp warm_memory(Communicator const& comm, std::uint64_t bytes, Clock const& clock) {
    constexpr std::uint64_t sample = 32ULL << 20;
    auto const node = comm.node();
    auto const available = available_memory().value_or(Bytes{sample}).value / 4 * 3;
    auto const share = std::min(bytes, available) / node.size();
    auto const first = touch_memory(share, clock);
    auto const again = touch_memory(std::min(first.bytes, sample), clock);
    return {node.sum(first.bytes), comm.max(per_page(first)), comm.max(per_page(again))};
}

std::optional<Warning> judge_warm_up(WarmUp const& warm) {
    constexpr double noticeable_s = 1.5e-6;  // a page of backed memory takes well under this
    if (warm.first_s_per_page < noticeable_s || warm.first_s_per_page < 2 * warm.again_s_per_page) {
        return {};
    }
    return Warning{
        "cold-memory",
        fmt::format("memory was slow at first touch: {:.1f} us a page, {:.1f} us when touched again",
                    1e6 * warm.first_s_per_page, 1e6 * warm.again_s_per_page),
        "the host had not yet backed this virtual machine's memory",
        "Nothing to do here: it was touched before the measurement. Other programs will see it as a slow disk."};
}

Json to_json(WarmUp const& warm) {
    if (warm.bytes == 0) {
        return {};
    }
    return {{"bytes", warm.bytes},
            {"first_s_per_page", warm.first_s_per_page},
            {"again_s_per_page", warm.again_s_per_page}};
}

}  // namespace weir
