#include "apps/common/run/choose_groups.hpp"

#include <algorithm>
#include <vector>

#include "pattern/loops.hpp"

namespace weir {
namespace {

// Costs on one node of two cores with files in its page cache, HDF5 1.10 and Open MPI 4.1, from runs of `aquifer` with
// 24,000 and 1,000,000 cells on 4, 8 and 16 ranks. A machine's own may differ much: parallel file systems make opens
// dearer, and larger groups better.
constexpr double open_together_s = 3e-3;  ///< of each rank that opens a file for collective writes, and closes it
constexpr double open_to_write_s = 1e-3;
constexpr double open_to_read_s = 6e-4;
constexpr double request_s = 2e-5;
constexpr double message_s = 2e-5;
constexpr double stored_per_s = 1.6e9;            ///< bytes that a rank writes
constexpr double cached_per_s = 8e9;              ///< bytes that all ranks read
constexpr double gathered_per_s = 6e9;            ///< bytes that a root receives
constexpr double broadcast_per_s = 1.8e9;         ///< bytes that all members receive
constexpr std::uint64_t at_once = 2;              ///< ranks that write or receive at full speed together
constexpr std::uint64_t most_memory = 256 << 20;  ///< bytes of a root for its members' data

/// What all ranks ask of storage in one direction.
struct Demand {
    double opens = 0;            ///< of all ranks
    std::uint64_t accesses = 0;  ///< to arrays that are divided among the ranks
    double bytes = 0;            ///< of these
    double largest = 0;          ///< bytes of a rank in one of them, on average
    std::uint64_t same = 0;      ///< accesses in which all ranks read the same
    double same_bytes = 0;       ///< of a rank in these
};

Demand demand_of(Phase const& phase, std::uint64_t ranks) {
    Demand all;
    each_step(phase.steps, [&](Step const& step, Loops const& loops) {
        auto const turns = times(loops);
        if (auto const* open = std::get_if<Open>(&step)) {
            auto const one = open->mode == OpenMode::read ? open_to_read_s
                             : open->collective           ? open_together_s
                                                          : open_to_write_s;
            all.opens += one * static_cast<double>(turns);
        }
        auto const* access = std::get_if<Access>(&step);
        if (access == nullptr || !access->part || access->ranks.count < ranks) {
            return;
        }
        if (access->part->by.same) {
            all.same += turns;
            all.same_bytes += static_cast<double>(volume(*access, Rank{0}).bytes * turns);
            return;
        }
        auto const bytes = static_cast<double>(volume(*access).bytes);
        all.accesses += turns;
        all.bytes += bytes * static_cast<double>(turns);
        all.largest = std::max(all.largest, bytes / static_cast<double>(ranks));
    });
    return all;
}

double seconds_to_write(Demand const& asked, std::uint64_t ranks, std::uint64_t size, GroupRequests requests) {
    auto const roots = (ranks + size - 1) / size;
    auto const speed = static_cast<double>(std::min(roots, at_once));
    auto const made = requests == GroupRequests::combined ? roots : ranks;
    auto const moved = size > 1 ? asked.bytes * static_cast<double>(size - 1) / static_cast<double>(size) : 0;
    return asked.opens * static_cast<double>(roots) + asked.bytes / (stored_per_s * speed) +
           moved / (gathered_per_s * speed) + static_cast<double>(asked.accesses * made) * request_s / speed;
}

double seconds_to_read(Demand const& asked, std::uint64_t ranks, std::uint64_t size) {
    auto const roots = static_cast<double>((ranks + size - 1) / size);
    auto const from_files = asked.opens * roots + (asked.same_bytes * roots + asked.bytes) / cached_per_s;
    auto const all = asked.same_bytes * static_cast<double>(ranks) + asked.bytes;
    return size == 1
               ? from_files
               : from_files + all / broadcast_per_s + static_cast<double>(asked.same + asked.accesses) * message_s;
}

/// The size with the least predicted time; of equal ones the smallest.
template <class Predict>
std::uint64_t best_size(Demand const& asked, std::uint64_t ranks, Predict predict) {
    std::uint64_t best = 1;
    auto least_s = predict(best);
    std::vector<std::uint64_t> sizes;
    for (std::uint64_t size = 2; size < ranks; size *= 2) {
        sizes.push_back(size);
    }
    sizes.push_back(ranks);
    for (auto const size : sizes) {
        auto const fits = asked.largest * static_cast<double>(size) <= static_cast<double>(most_memory);
        auto const predicted_s = predict(size);
        if (fits && predicted_s < least_s) {
            least_s = predicted_s;
            best = size;
        }
    }
    return best;
}

}  // namespace

Grouping choose_groups(Pattern const& asked, GroupRequests requests) {
    Grouping chosen{.requests = requests};
    auto const ranks = asked.ranks;
    if (asked.phases.size() != 2) {
        return chosen;
    }
    auto const writing = demand_of(asked.phases[0], ranks);
    auto const reading = demand_of(asked.phases[1], ranks);
    chosen.write =
        best_size(writing, ranks, [&](std::uint64_t size) { return seconds_to_write(writing, ranks, size, requests); });
    chosen.read = best_size(reading, ranks, [&](std::uint64_t size) { return seconds_to_read(reading, ranks, size); });
    return chosen;
}

}  // namespace weir
