#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/json.hpp"
#include "core/quantity.hpp"

namespace weir {

/// One of the tests of the HPC Challenge: a benchmark of Weir's with some options. Its phases are named with `prefix`.
struct HpccTest {
    std::string name;
    std::string benchmark;
    std::string prefix;
    Json options;
};

/// What all tests have in common.
struct HpccSetting {
    std::uint64_t bytes_of_rank = 0;  ///< of HPL's matrix, from which all take their sizes
    std::uint64_t ranks = 1;
    std::uint64_t block = 192;
    std::uint64_t grid_rows = 0;
    std::uint64_t threads = 1;
    std::string blas = "auto";
    std::string transforms = "auto";
    std::uint64_t seed = 1;
};

/// All of them in HPCC's order, HPL last; without those of messages where there is one rank. Pure.
std::vector<HpccTest> hpcc_tests(HpccSetting const&);

}  // namespace weir
