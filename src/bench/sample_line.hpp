#pragma once

#include <cstdint>
#include <vector>

#include "bench/benchmark.hpp"
#include "bench/metric.hpp"

namespace weir {

/// One timed phase of one repetition of one case, of all ranks together.
struct Sample {
    std::uint64_t repetition = 0;
    Json common;                    ///< keys that several benchmarks have, in protocol.md: `phase`, `elapsed_s`, ...
    std::vector<Metric> metrics;    ///< the first is the result, the others stand beside it
    Json details = Json::object();  ///< what only this benchmark's own figures and tables look into
    Json warnings = Json::array();
};

/// Its `sample` line, as docs/reference/protocol.md has it. Local.
Json sample_line(JobContext const&, Sample const&);

}  // namespace weir
