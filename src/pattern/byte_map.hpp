#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pattern/pattern.hpp"

namespace weir {

/// A contiguous run of bytes of one file that one rank accesses.
struct Run {
    std::string file;
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
    std::uint64_t rank = 0;

    bool operator==(Run const&) const = default;
};

/// Map of a file's bytes to ranks, drawn by `weir plan`.
struct Geometry {
    std::string phase;
    bool complete = true;   ///< false if there are more runs than requested
    std::vector<Run> runs;  ///< by file and offset
};

/// The runs of the first phase that moves data, at most `most` of them.
Geometry geometry(Pattern const&, std::size_t most);

}  // namespace weir
