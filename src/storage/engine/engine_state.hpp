#pragma once

#include <list>
#include <set>
#include <unordered_map>

#include "core/error.hpp"
#include "core/process_counts.hpp"
#include "storage/engine/engine.hpp"
#include "storage/engine/page_cache.hpp"

namespace weir {

/// An asynchronous request in flight: all of its pieces, which are consecutive in its memory.
struct PendingRequest {
    Access const* access = nullptr;
    Turns turns{};
    std::vector<Piece> pieces{};
    Operation whole{};
    std::unique_ptr<RequestMemory> memory{};
    std::vector<std::size_t> got{};  ///< bytes read of each piece
    double began_s = 0;
};

struct Engine::Handle {
    Communicator const* group = nullptr;  ///< the ranks that opened it with this one; null: it is not open
    std::list<PendingRequest> begun{};    ///< stable addresses; outlives the file, which may still use them
    std::unique_ptr<OpenFile> file{};     ///< null if opening failed
    std::string name{};
    bool collective = false;  ///< some of its accesses are
};

struct Engine::Ran {
    Ran(Clock const& clock, Meter::Settings const& settings) : meter(clock, settings) {}

    /// Adds the kernel's counters of a run, if available.
    void note_kernel(std::optional<ProcessCounts> const& counts_now, std::optional<ProcessCounts> const& before,
                     std::optional<Bytes> fetched_now, std::optional<Bytes> fetched_before);

    Meter meter;
    RankTimes times{};
    WrongWords words{};
    Hints hints{};
    ProcessCounts counts{};
    bool counted = true;                       ///< the kernel's counters were available in all runs
    std::optional<Bytes> fetched = Bytes{};    ///< from devices, in all runs; nothing if the kernel does not report it
    Residence resident{};                      ///< of this rank's files, before its runs
    std::vector<std::string> cache_methods{};  ///< of the last run
    std::string started_at{};
    Seconds time_limit{};
    bool writes = false;
    bool reads = false;
    std::uint64_t runs = 0;
    double elapsed_s = 0;  ///< from the first rank's start to the last one's end, over all runs
    Tally calls{};
    DumpCosts costs{};
};

struct Engine::State {
    /// Computed for an access before the phase begins, so that it is not measured.
    struct RequestsOfAccess {
        Access now;                    ///< the access at the current iterations of its repeats
        std::size_t index = 0;         ///< among the phase's accesses
        std::uint64_t mean_bytes = 0;  ///< of this rank's requests
        std::vector<Piece> pieces{};   ///< if all of them are one request

        /// Advances to these iterations.
        void move(Access const& access, Turns const& turns) {
            auto const before = now.extent.start;
            move_to(now, access, turns);
            for (auto& piece : pieces) {
                piece.offset += now.extent.start - before;
            }
        }
    };

    Phase const& phase;
    Rank acting;
    Ran& ran;
    DataSource* source = nullptr;
    double began_s = 0;
    double ended_s = 0;
    std::vector<std::uint64_t> made{};  ///< requests, by access; within repeats, of the last iteration
    std::unordered_map<Access const*, RequestsOfAccess> layouts{};
    std::set<std::uint64_t> accessed{};    ///< files
    std::set<std::uint64_t> collective{};  ///< files with collective accesses
    std::optional<Diagnosis> failure{};
};

}  // namespace weir
