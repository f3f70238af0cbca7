#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/json.hpp"
#include "storage/backend.hpp"
#include "storage/meter.hpp"
#include "storage/page_cache.hpp"

namespace weir {

/// What one rank spent in one phase, in seconds; start and end by rank 0's clock.
struct RankTimes {
    double start_s = 0;
    double end_s = 0;
    double open_s = 0;
    double transfer_s = 0;
    double sync_s = 0;
    double close_s = 0;
    double stamp_s = 0;  ///< making stamps, where they are made
    std::uint64_t requests = 0;
    std::uint64_t bytes_written = 0;
    std::uint64_t bytes_read = 0;
    double median_s = 0;   ///< of its timed requests; 0 without any
    double slowest_s = 0;  ///< of its timed requests

    [[nodiscard]] std::uint64_t bytes() const { return bytes_written + bytes_read; }

    /// Takes over what the rank's meter has counted.
    void add(Meter const&);
};

/// Words read back that were not what was written: how many, and the first of them.
struct WrongWords {
    std::uint64_t checked = 0;
    std::uint64_t wrong = 0;
    std::uint64_t missing = 0;  ///< of the wrong ones: beyond the end of the file
    std::uint64_t file = 0;     ///< index into the pattern's files
    std::uint64_t owner = 0;    ///< rank whose file it is, where each rank has its own
    std::uint64_t offset = 0;
    std::uint64_t expected = 0;
    std::uint64_t found = 0;
    bool first_is_missing = false;  ///< then nothing was found

    /// Adds another part's; the first of both is the one that comes first by file, owner and offset.
    void add(WrongWords const&);
};

/// One phase of one repetition, seen from all ranks.
struct PhaseResult {
    std::string name;
    std::string started_at;
    bool writes = false;
    bool stamped = false;  ///< what is written tells where it belongs
    std::vector<RankTimes> ranks;
    WrongWords words;
    std::array<LatencySketch, 2> latency;  ///< by Direction
    Timeline timeline;
    Hints hints;
    CacheVerdict cache;
    ReadEvidence evidence;
    std::vector<std::string> cache_methods;
};

/// The key parts of its `sample` line, as docs/reference/protocol.md has them.
Json to_json(PhaseResult const&);

}  // namespace weir
