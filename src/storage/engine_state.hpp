#pragma once

#include "core/error.hpp"
#include "core/process_counts.hpp"
#include "storage/engine.hpp"

namespace weir {

/// What a rank keeps while it goes through a phase.
struct Engine::State {
    /// What is worked out of an access before the phase begins, so that it is no part of what is measured.
    struct Layout {
        std::uint64_t mean_bytes = 0;  ///< of this rank's requests
        std::vector<Piece> pieces{};   ///< where all of them are one request
    };

    Phase const& phase;
    Rank acting;
    double began_s = 0;
    std::optional<Meter> meter{};
    RankTimes times{};
    WrongWords words{};
    Hints hints{};
    std::vector<std::unique_ptr<OpenFile>> files{};
    std::vector<std::uint64_t> made{};  ///< requests, by access
    std::vector<Layout> layouts{};      ///< by access
    std::optional<Bytes> fetched_before{};
    std::optional<ProcessCounts> counted_before{};
    std::optional<ProcessCounts> counted{};
    std::optional<Diagnosis> failure{};
};

}  // namespace weir
