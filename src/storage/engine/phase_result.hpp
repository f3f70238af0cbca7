#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/json.hpp"
#include "core/process_counts.hpp"
#include "core/quantity.hpp"
#include "storage/backend.hpp"
#include "storage/engine/page_cache.hpp"
#include "storage/meter.hpp"

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
    double pause_s = 0;  ///< keeping its pace, where it has one
    std::uint64_t requests = 0;
    std::uint64_t bytes_written = 0;
    std::uint64_t bytes_read = 0;
    std::uint64_t requests_at_limit = 0;  ///< of a time-limited phase: made when the time was over
    std::uint64_t bytes_at_limit = 0;
    std::uint64_t limit_reached = 0;  ///< 1: there was more to do
    std::uint64_t tail_cut = 0;       ///< 1: wearing out was ended by its bound
    double median_s = 0;              ///< of its timed requests; 0 without any
    double slowest_write_s = 0;       ///< of its timed requests
    double slowest_read_s = 0;

    [[nodiscard]] std::uint64_t bytes() const { return bytes_written + bytes_read; }

    [[nodiscard]] double slowest_s() const { return std::max(slowest_write_s, slowest_read_s); }

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

/// The runs of one phase, seen from all ranks.
struct PhaseResult {
    std::string name;
    std::string started_at;  ///< the first
    std::uint64_t runs = 0;
    double elapsed_s = 0;  ///< from the first rank's start to the last one's end, in all runs
    bool writes = false;
    bool reads = false;
    bool stamped = false;  ///< what is written tells where it belongs
    std::vector<RankTimes> ranks;
    WrongWords words;
    std::array<LatencySketch, 2> latency;  ///< by Direction
    Timeline timeline;
    Seconds time_limit;
    Hints hints;
    Json hints_asked;                    ///< what became of each; describe_hints_asked()
    std::vector<ProcessCounts> counts;   ///< by rank; empty where a kernel does not tell
    std::vector<RequestRecord> records;  ///< of this rank alone
    Tally calls;                         ///< of the system, that the back-end has made; none where it does not count
    CacheVerdict cache;
    ReadEvidence evidence;
    std::vector<std::string> cache_methods;

    /// Did its time limit, or the bound of wearing out, leave some rank with more to do?
    [[nodiscard]] bool was_cut() const;
};

/// One object a rank: its times, bytes and requests.
Json ranks_to_json(PhaseResult const&);

/// The requests kept of this rank, in columns: start_s, duration_s, offset, length, direction; `complete` says whether
/// there were no more.
Json records_to_json(PhaseResult const&, std::uint64_t rank);

/// The key parts of its `sample` line, as docs/reference/protocol.md has them.
Json to_json(PhaseResult const&);

}  // namespace weir
