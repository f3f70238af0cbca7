#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bench/compute/linear/cache_share.hpp"
#include "bench/compute/linear/energy_meter.hpp"
#include "bench/repetitions.hpp"
#include "bench/sample_line.hpp"
#include "core/memory.hpp"

namespace weir {

/// How the rules of the HPC Challenge call a run: baseline, where libraries do the work or loops as the original's;
/// optimized, where its routines are replaced (icl.utk.edu/hpcc/overview).
constexpr std::string_view baseline = "baseline";
constexpr std::string_view optimized = "optimized";

/// Of a test that leaves the work to libraries, or to loops as the original's, or not. Asking the kernel for large
/// pages is a change of the program, too.
constexpr std::string_view rules_of(bool is_as_original, Pages pages) {
    return is_as_original && pages == Pages::usual ? baseline : optimized;
}

/// What a test found, over all ranks.
struct TestSample {
    std::string_view phase;
    double elapsed_s = 0;
    std::vector<Metric> metrics;
    Json details;
    std::string_view rules = {};  ///< one of those above; empty: no test of theirs
    WorkEnergy energy{};          ///< its work is told in the details, known energy or not
    Json warnings = Json::array();
    std::string started{};     ///< utc_time(); set by TestRun, as the next
    CacheShare cache_share{};  ///< of a test of memory; its mark is told in the details, and its warning
};

/// Writes its `sample` line, on rank 0 and not for a warm-up. Local.
void write_sample(JobContext&, Turn const&, TestSample);

}  // namespace weir
