#include "bench/warm_up.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/json.hpp"
#include "core/memory.hpp"
#include "core/proc.hpp"

namespace weir {
namespace {

constexpr double page_bytes = 4096;
constexpr std::uint64_t sample_bytes = 32ULL << 20;

double per_page(TouchTime const& touch) {
    return touch.bytes == 0 ? 0 : touch.elapsed_s * page_bytes / static_cast<double>(touch.bytes);
}

std::uint64_t most_at_rate(std::vector<CacheFill> const& fills, double rank_bytes_per_s) {
    std::uint64_t most = 0;
    for (auto const& fill : fills) {
        most = std::max(most, bytes_at_rate(fill, rank_bytes_per_s));
    }
    return most;
}

/// The most bytes per second that a rank can fill, from the time to touch pages that are backed. Finding and clearing a
/// page costs about as much as finding it and writing to it (on one virtual machine, 1.24 times as much), and the
/// fastest rank is taken for all.
double rank_rate(TouchTime const& again) {
    constexpr double margin = 1.25;
    return again.elapsed_s > 0 ? margin * static_cast<double>(again.bytes) / again.elapsed_s
                               : std::numeric_limits<double>::infinity();
}

}  // namespace

std::uint64_t share_of_node(std::uint64_t bytes, std::uint64_t node_ranks, std::uint64_t ranks) {
    auto const per_rank = bytes / ranks + (bytes % ranks == 0 ? 0 : 1);
    return std::min(bytes, per_rank * node_ranks);
}

WarmUp warm_memory(Communicator const& comm, std::uint64_t bytes, Clock const& clock) {
    auto const node = comm.node();
    auto const available = available_memory().value_or(Bytes{sample_bytes}).value / 4 * 3;
    auto const share = std::min(bytes, available) / node.size();
    auto const first = touch_memory(share, clock);
    auto const again = touch_memory(std::min(first.bytes, sample_bytes), clock);
    // The kernel keeps free memory by the size of its pieces: large requests get large pieces of page cache.
    auto const large = touch_memory(first.bytes, clock, Pages::large);
    return {node.sum(first.bytes), comm.max(std::max(per_page(first), per_page(large))), comm.max(per_page(again))};
}

WarmUp warm_for_cases(Communicator const& comm, std::vector<CacheFill> const& fills, Clock const& clock) {
    auto const on_node = [&](std::uint64_t bytes) { return share_of_node(bytes, comm.node().size(), comm.size()); };
    auto const all = most_at_rate(fills, std::numeric_limits<double>::infinity());
    auto const limited = all > comm.size() * sample_bytes && most_at_rate(fills, 0) < all;
    if (comm.max(std::uint64_t{limited}) == 0) {
        return warm_memory(comm, on_node(all), clock);
    }
    auto const first = touch_memory(sample_bytes, clock);
    auto const rate = comm.max(rank_rate(touch_memory(sample_bytes, clock)));
    auto warm = warm_memory(comm, on_node(most_at_rate(fills, rate)), clock);
    warm.first_s_per_page = std::max(warm.first_s_per_page, comm.max(per_page(first)));
    return warm;
}

std::optional<Warning> judge_warm_up(WarmUp const& warm) {
    constexpr double noticeable_s = 1.5e-6;  // a page of backed memory takes well under this
    if (warm.first_s_per_page < noticeable_s || warm.first_s_per_page < 2 * warm.again_s_per_page) {
        return {};
    }
    return Warning{
        "cold-memory",
        fmt::format("memory was slow at first touch: {:.1f} µs a page, {:.1f} µs when touched again",
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
