#pragma once

#include <string>
#include <vector>

#include "apps/common/run/application.hpp"
#include "pattern/pattern.hpp"

namespace weir {

/// Opens a file and accesses all its arrays, without closing it. Rank 0 accesses the first `of_rank0` arrays, by
/// partition 0, and broadcasts them after reading; the others are accessed collectively, by partition 1.
std::vector<Step> all_of(Pattern const& shape, std::uint64_t file, OpenMode, std::uint64_t of_rank0);

void append(std::vector<Step>& steps, std::vector<Step> more);

Phase phase_of(std::string name, std::vector<Step> steps);

/// The dumps of a run: after each step that is a multiple of `every`, counted from `first`.
struct DumpTimes {
    std::uint64_t first = 0;  ///< step of the initial state, or of the restart
    std::uint64_t steps = 0;
    std::uint64_t every = 0;  ///< 0: never

    [[nodiscard]] bool is_due(std::uint64_t step) const { return every > 0 && step % every == 0; }
    [[nodiscard]] std::uint64_t count() const { return every > 0 ? (first + steps) / every - first / every : 0; }

    /// The step after which dump 0, 1, ... is made.
    [[nodiscard]] std::uint64_t step_of(std::uint64_t dump) const { return (first / every + 1 + dump) * every; }
};

/// The name of a file that each dump creates anew: "field-000005".
std::string name_after(std::string const& file, std::uint64_t step);

/// All storage requests of a run: a phase `restart`, if it begins with one, and a phase `dumps`, a repeat over the
/// dumps. Local.
Pattern pattern_of_dumps(DumpPlan const&, DumpTimes const&, bool restarted);

/// The same accesses, independent instead of collective.
DumpPlan each_alone(DumpPlan);

/// Bytes of the files that such a run reads or leaves, in closed form. Local.
std::uint64_t bytes_left(DumpPlan const&, DumpTimes const&, bool restarted);

}  // namespace weir
