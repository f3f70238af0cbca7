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

/// The files of a plan with the requests of a dump and of a restart, as two phases.
Pattern requests_of(DumpPlan const&);

/// All storage requests of a run: a phase `restart`, if it begins with one, and a phase `dumps`, a repeat over the
/// dumps. A single dump of a plan with parts has a phase for each part instead. Local.
Pattern pattern_of_dumps(DumpPlan const&, DumpTimes const&, bool restarted);

/// The same if the plan changes from dump to dump: one for each. Each dump, or each part of one, is a phase; the
/// restart is read by the first plan. Lasting files get the arrays of all plans.
Pattern pattern_of_dumps(std::vector<DumpPlan> const&, DumpTimes const&, bool restarted);

/// The steps of one of these parts.
std::vector<Step> steps_of(std::vector<Step> const&, std::vector<DumpPart> const&, std::size_t part);

/// By file: does a dump create it, or rename another one to it? Local.
std::vector<bool> written_by(DumpPlan const&);

/// The same accesses, independent instead of collective.
DumpPlan each_alone(DumpPlan);

/// Bytes of the files that such a run reads or leaves, in closed form. Local.
std::uint64_t bytes_left(DumpPlan const&, DumpTimes const&, bool restarted);

}  // namespace weir
