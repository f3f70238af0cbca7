#pragma once

#include <array>
#include <random>
#include <vector>

#include "pattern/operations.hpp"
#include "pattern/parametric.hpp"

namespace weir::testing {

/// One request, as the pattern's enumeration gives it.
struct Request {
    std::string phase;
    Verb verb{};
    std::string file;
    std::uint64_t rank = 0;
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
    bool reads = false;
};

/// Every request of one rank of a pattern, in order.
inline std::vector<Request> requests_of(Pattern const& pattern, Rank rank) {
    std::vector<Request> all;
    for (auto const& phase : pattern.phases) {
        auto const acting = acting_rank(phase.reorder, rank, pattern.ranks);
        for (auto const& step : phase.steps) {
            if (auto const* access = std::get_if<Access>(&step)) {
                Operations operations(*access, acting);
                std::uint64_t turn = 0;
                for (Operation o; operations.next(o); ++turn) {
                    auto const reads =
                        access->verb == Verb::mixed ? reads_at(*access, turn) : access->verb != Verb::write;
                    all.push_back({phase.name, access->verb, file_name(pattern.files[access->file], acting), rank.value,
                                   o.offset, o.length, reads});
                }
            }
        }
    }
    return all;
}

/// Those of all ranks, one rank after the other.
inline std::vector<Request> requests_of(Pattern const& pattern) {
    std::vector<Request> all;
    for (std::uint64_t rank = 0; rank < pattern.ranks; ++rank) {
        std::ranges::move(requests_of(pattern, Rank{rank}), std::back_inserter(all));
    }
    return all;
}

/// Parameters that do not contradict
inline Parameters random_parameters(std::mt19937& random) {
    Parameters p;
    p.ranks = 1 + random() % 5;
    auto const shift = 1 + random() % p.ranks;
    p.readers_shift = shift < p.ranks ? shift : 1;
    p.transfer = Bytes{8 * (1 + random() % 4)};
    p.block = Bytes{p.transfer.value * (1 + random() % 5)};
    p.segments = 1 + random() % 4;
    p.files = 1 + random() % 3;
    p.layout = random() % 2 == 0 ? Layout::shared : Layout::file_per_process;
    p.offsets = static_cast<Offsets>(random() % 5);
    if (p.offsets == Offsets::strided || p.offsets == Offsets::random_partition) {
        p.layout = Layout::shared;
    }
    p.write = true;
    p.read = random() % 2 == 0;
    p.check = random() % 2 == 0;
    p.reorder = static_cast<Readers>(random() % 3);
    p.sync = static_cast<SyncWhen>(random() % 3);
    p.preallocate = random() % 2 == 0;
    p.collective = p.layout == Layout::shared && random() % 2 == 0;
    p.mixed = random() % 2 == 0;
    auto const enough = p.segments * (p.block.value / p.transfer.value) > 1 ? 3 : 2;
    p.read_percent = std::array<std::uint64_t, 3>{0, 100, 50}.at(random() % enough);
    if (random() % 4 == 0) {
        p.pace = {Seconds{0.5}, Bytes{1000}};
    }
    p.seed = random();
    return p;
}

}  // namespace weir::testing
