#pragma once

#include <set>
#include <unordered_map>

#include "core/error.hpp"
#include "core/process_counts.hpp"
#include "storage/engine.hpp"

namespace weir {

/// What a rank keeps while it goes through a phase.
struct Engine::State {
    /// What is worked out of an access before the phase begins, so that it is no part of what is measured.
    struct Layout {
        Access now;                    ///< the access where it is at, turn for turn of its repeats
        std::size_t index = 0;         ///< among the phase's accesses
        std::uint64_t mean_bytes = 0;  ///< of this rank's requests
        std::vector<Piece> pieces{};   ///< where all of them are one request

        /// Goes on to these turns.
        void move(Access const& access, Turns const& turns) {
            auto const before = now.extent.start;
            move_to(now, access, turns);
            for (auto& piece : pieces) {
                piece.offset += now.extent.start - before;
            }
        }
    };

    /// A file of this rank's.
    struct Handle {
        Communicator const* team = nullptr;  ///< the ranks that have opened it with this one; null: it has not
        std::unique_ptr<OpenFile> file{};    ///< null where opening failed
        std::string name{};
        bool collective = false;  ///< some of its accesses are
    };

    Phase const& phase;
    Rank acting;
    double began_s = 0;
    std::optional<Meter> meter{};
    RankTimes times{};
    WrongWords words{};
    Hints hints{};
    std::vector<Handle> files{};
    std::vector<std::uint64_t> made{};  ///< requests, by access; of those in repeats the last turn's
    std::unordered_map<Access const*, Layout> layouts{};
    std::set<std::uint64_t> collective{};  ///< files with accesses that are
    std::optional<Bytes> fetched_before{};
    std::optional<ProcessCounts> counted_before{};
    std::optional<ProcessCounts> counted{};
    std::optional<Diagnosis> failure{};
};

}  // namespace weir
