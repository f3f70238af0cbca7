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
#include "storage/engine/cached_read.hpp"
#include "storage/hints.hpp"
#include "storage/meter.hpp"

namespace weir {

/// One rank's times in one phase, in seconds; start and end on rank 0's clock.
struct RankTimes {
    double start_s = 0;
    double end_s = 0;
    double open_s = 0;
    double transfer_s = 0;
    double sync_s = 0;
    double close_s = 0;
    double stamp_s = 0;  ///< making stamps, if any
    double pause_s = 0;  ///< keeping its pace, if it has one
    std::uint64_t requests = 0;
    std::uint64_t bytes_written = 0;
    std::uint64_t bytes_read = 0;
    std::uint64_t requests_at_limit = 0;  ///< in a time-limited phase: made at the time limit
    std::uint64_t bytes_at_limit = 0;
    std::uint64_t limit_reached = 0;  ///< 1: requests were left
    std::uint64_t tail_cut = 0;       ///< 1: wearing out was cut off by its bound
    double median_s = 0;              ///< of its timed requests; 0 without any
    double slowest_write_s = 0;       ///< of its timed requests
    double slowest_read_s = 0;

    [[nodiscard]] std::uint64_t bytes() const { return bytes_written + bytes_read; }

    [[nodiscard]] double slowest_s() const { return std::max(slowest_write_s, slowest_read_s); }

    /// Adds the counts of the rank's meter.
    void add(Meter const&);
};

/// Words read back that differ from those written: how many, and the first of them.
struct WrongWords {
    std::uint64_t checked = 0;
    std::uint64_t wrong = 0;
    std::uint64_t missing = 0;  ///< of the wrong ones: beyond end of file
    std::uint64_t file = 0;     ///< index into the pattern's files
    std::uint64_t owner = 0;    ///< rank whose file it is, with file-per-process
    std::uint64_t offset = 0;
    std::uint64_t expected = 0;
    std::uint64_t found = 0;
    bool first_is_missing = false;  ///< then no word was found
    bool placed = true;             ///< else a shared pointer decided the first one's offset, which is unknown
    /// For requests whose places a shared pointer decides: a sum over what was found, less that over what was written.
    /// Not 0: some was found twice, and some never.
    std::uint64_t unmatched = 0;

    [[nodiscard]] bool any() const { return wrong > 0 || unmatched != 0; }

    /// Adds another part's; the first of both is the lower one by file, owner and offset.
    void add(WrongWords const&);
};

/// The runs of one phase, over all ranks.
struct PhaseResult {
    std::string name;
    std::string started_at;  ///< of the first run
    std::uint64_t runs = 0;
    double elapsed_s = 0;  ///< from the first rank's start to the last one's end, over all runs
    bool writes = false;
    bool reads = false;
    bool stamped = false;  ///< written words identify their offset
    std::vector<RankTimes> ranks;
    WrongWords words;
    std::array<LatencySketch, 2> latency;  ///< by Direction
    Timeline timeline;
    Seconds time_limit;
    HintsInForce hints;
    std::vector<ProcessCounts> counts;   ///< by rank; empty if a kernel does not report them
    std::vector<RequestRecord> records;  ///< of this rank only
    Tally calls;                         ///< system calls of the back-end; none if it does not count
    CacheVerdict cache;
    ReadEvidence evidence;
    std::vector<std::string> cache_methods;

    /// Did the time limit, or the bound of wearing out, leave requests on some rank?
    [[nodiscard]] bool was_cut() const;
};

/// One object a rank: its times, bytes and requests.
Json ranks_to_json(PhaseResult const&);

/// The requests recorded on this rank, in columns: start_s, duration_s, offset, length, direction; `complete`: whether
/// these are all.
Json records_to_json(PhaseResult const&, std::uint64_t rank);

/// The key parts of its `sample` line, see docs/reference/protocol.md.
Json to_json(PhaseResult const&);

}  // namespace weir
