#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bench/repetitions.hpp"
#include "bench/sample_line.hpp"

namespace weir {

/// What a test found, over all ranks.
struct TestSample {
    std::string_view phase;
    std::string started;  ///< utc_time()
    double elapsed_s = 0;
    std::vector<Metric> metrics;
    Json details;
    Json warnings = Json::array();
};

/// Writes its `sample` line, on rank 0 and not for a warm-up. Local.
void write_sample(JobContext&, Turn const&, TestSample);

}  // namespace weir
