#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/repetitions.hpp"
#include "bench/sample_line.hpp"

namespace weir {

/// A phase of a benchmark that needs no more than this rank's time: its name, the work that is timed, and this rank's
/// metrics, given the seconds that its work took.
struct TimedPhase {
    std::string name;
    std::function<void()> work;  ///< where ranks meet in it, none of them may throw alone
    std::function<std::vector<Metric>(double)> metrics;
};

/// Lets all ranks do the work at once, puts their metrics together, and writes the sample, but for a warm-up. Its
/// `elapsed_s` is the slowest rank's. An error of any rank, or a stop that was requested before, is thrown on every
/// rank. Collective.
void measure(JobContext&, Turn const&, TimedPhase const&);

/// What a job that has no files says of itself in `Job::describe`.
Json describe_without_files(std::uint64_t memory_bytes_per_rank);

}  // namespace weir
