#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/repetitions.hpp"
#include "bench/sample_line.hpp"

namespace weir {

/// A phase of a benchmark that needs only this rank's time: its name, the timed work, and this rank's metrics, given
/// the seconds that its work took.
struct TimedPhase {
    std::string name;
    std::function<void()> work;  ///< if it is collective, no rank may throw alone
    std::function<std::vector<Metric>(double)> metrics;
};

/// Runs the work on all ranks at once, combines their metrics, and writes the sample, except in a warm-up. Its
/// `elapsed_s` is the slowest rank's. An error of any rank, or an earlier stop request, is thrown on every rank.
/// Collective.
void measure(JobContext&, Turn const&, TimedPhase const&);

/// The description by a job without files, for `Job::describe`.
Json describe_without_files(std::uint64_t memory_bytes_per_rank);

/// Throws Error (usage) where a case file, and not the command line, asks for a pattern in place of a run.
void refuse_pattern_in_case_file(bool asked);

}  // namespace weir
