#pragma once

#include "storage/engine/engine.hpp"

namespace weir::testing {

/// An engine for the phases of one pattern, one run of each at a time.
class PatternEngine : public Engine {
  public:
    PatternEngine(Backend& backend, Pattern const& pattern, EngineSettings settings, Communicator comm, Clock& clock)
        : Engine(backend, std::move(comm), std::move(settings), clock) {
        declare(pattern);
    }

    PhaseResult measure(Phase const& phase) {
        run(phase);
        return report(phase.name);
    }
};

/// By all ranks together.
inline std::uint64_t bytes_written(PhaseResult const& result) {
    std::uint64_t bytes = 0;
    for (auto const& rank : result.ranks) {
        bytes += rank.bytes_written;
    }
    return bytes;
}

}  // namespace weir::testing
