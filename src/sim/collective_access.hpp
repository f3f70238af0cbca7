#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace weir::sim {

/// A collective access as MPI-IO carries it out by two-phase I/O: aggregators have even parts of the file, and move a
/// buffer each in every round. A round begins when the last one is over on all of them, since ranks tell each other
/// what they will send. (Thakur, Gropp and Lusk: Data sieving and collective I/O in ROMIO, 1999, section 4.)
struct CollectiveAccess {
    std::vector<std::uint32_t> ranks;  ///< that take part
    std::uint64_t file = 0;            ///< number
    bool reads = false;
    std::uint64_t begin = 0;  ///< of the bytes of all ranks
    std::uint64_t end = 0;
    std::uint64_t aggregators = 1;
    std::uint64_t buffer = 1;  ///< bytes of an aggregator in a round
    std::uint64_t round = 0;
    std::uint64_t pending = 0;  ///< requests of this round
    double round_s = 0;         ///< before or behind the requests of a round: messages

    [[nodiscard]] std::uint64_t domain() const { return (end - begin + aggregators - 1) / aggregators; }
    [[nodiscard]] std::uint64_t rounds() const { return (domain() + buffer - 1) / buffer; }

    /// What an aggregator moves in the current round.
    struct Part {
        std::uint64_t offset = 0;
        std::uint64_t bytes = 0;
    };
    [[nodiscard]] Part part(std::uint64_t aggregator) const {
        auto const last = std::min(end, begin + (aggregator + 1) * domain());
        auto const from = std::min(last, begin + aggregator * domain() + round * buffer);
        return {from, std::min(buffer, last - from)};
    }
};

}  // namespace weir::sim
