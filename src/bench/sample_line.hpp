#pragma once

#include <cstdint>
#include <vector>

#include "bench/benchmark.hpp"
#include "bench/metric.hpp"

namespace weir {

/// One timed phase of one repetition of one case, over all ranks.
struct Sample {
    std::uint64_t repetition = 0;
    Json common;                    ///< keys shared by several benchmarks, in protocol.md: `phase`, `elapsed_s`, ...
    std::vector<Metric> metrics;    ///< the first is the result, the others are supplementary
    Json details = Json::object();  ///< only for this benchmark's own figures and tables
    Json warnings = Json::array();
};

/// Its `sample` line, see docs/reference/protocol.md. Local.
Json sample_line(JobContext const&, Sample const&);

}  // namespace weir
