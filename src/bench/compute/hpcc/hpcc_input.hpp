#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/json.hpp"

namespace weir {

/// What a file `hpccinf.txt` asks for, in Weir's words. HPCC's program tries all combinations of the values that it
/// lists for HPL; here the largest order is taken, and of the rest the first.
struct HpccInput {
    std::uint64_t size = 0;   ///< order of HPL's matrix
    std::uint64_t block = 0;  ///< rows and columns of a block
    std::uint64_t grid_rows = 0;
    std::uint64_t grid_columns = 0;
    Json algorithm;                     ///< options of the benchmark `hpl`
    std::vector<std::string> left_out;  ///< what it asks for and Weir does not do, in words
};

/// Of the text of such a file; `path` is for messages. Throws Error (usage) where a line is missing or holds no number
/// that makes sense. Pure.
HpccInput parse_hpcc_input(std::string const& text, std::string const& path);

}  // namespace weir
