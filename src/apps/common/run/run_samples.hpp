#pragma once

#include "apps/common/run/application.hpp"
#include "bench/sample_line.hpp"

namespace weir {

// The samples of a repetition, see docs/reference/results.md, from the figures of all ranks.

/// Of the restart. Local, as all here.
Sample read_sample(RunFigures const&, Program const&, std::uint64_t repetition);

/// Of the dumps.
Sample write_sample(RunFigures const&, Program const&, std::uint64_t repetition);

/// Of the complete run.
Sample run_sample(RunFigures const&, Program const&, std::uint64_t repetition);

}  // namespace weir
