#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "pattern/operations.hpp"

namespace weir::sim {

/// A collective access as MPI-IO carries it out by two-phase I/O. All ranks make a call for a piece of each, or for a
/// list of all. In each round every aggregator moves a buffer. A round begins when the last one is over on all of them,
/// since ranks tell each other what they will send. (Thakur, Gropp and Lusk: Data sieving and collective I/O in ROMIO,
/// 1999, section 4.)
struct CollectiveAccess {
    std::vector<std::uint32_t> ranks;  ///< that call
    std::uint64_t file = 0;            ///< number
    bool reads = false;
    Access const* access = nullptr;
    std::unique_ptr<std::deque<Operations>> left;  ///< of these ranks, for further calls; none: there is one call
    std::vector<std::uint32_t> asking;             ///< ranks that have bytes in the current call
    std::uint64_t bytes = 0;                       ///< that they ask for
    std::uint64_t most_bytes = 0;                  ///< that one of them does
    std::uint64_t begin = 0;                       ///< of the bytes of all ranks
    std::uint64_t end = 0;
    std::uint64_t aggregators = 1;
    std::uint64_t buffer = 1;  ///< bytes of an aggregator in a round
    std::uint64_t round = 0;
    std::uint64_t pending = 0;  ///< requests of this round
    double round_s = 0;         ///< before or behind the requests of a round: messages

    /// Bytes of all aggregators in a round; together they are contiguous, so that all targets have their share.
    [[nodiscard]] std::uint64_t at_once() const { return aggregators * buffer; }
    [[nodiscard]] std::uint64_t rounds() const { return (end - begin + at_once() - 1) / at_once(); }

    /// What an aggregator moves in the current round.
    struct Part {
        std::uint64_t offset = 0;
        std::uint64_t bytes = 0;
    };
    [[nodiscard]] Part part(std::uint64_t aggregator) const {
        auto const from = std::min(end, begin + round * at_once() + aggregator * share());
        return {from, std::min(share(), end - from)};
    }

  private:
    /// A buffer, or less if there is less in the last round.
    [[nodiscard]] std::uint64_t share() const {
        auto const left = std::min(at_once(), end - std::min(end, begin + round * at_once()));
        return (left + aggregators - 1) / aggregators;
    }
};

}  // namespace weir::sim
