#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "pattern/pattern.hpp"

namespace weir {

/// Consecutive steps of a dump, or of reading a restart, that are timed by themselves and have a sample of their own.
struct DumpPart {
    std::string name;       ///< the phase of its samples
    std::size_t begin = 0;  ///< index of its first step
};

/// An application's storage requests for a dump and for a restart, on a given number of ranks.
struct DumpPlan {
    Pattern shape;  ///< name, ranks, files with their arrays, partitions; without phases
    /// By file: does each dump replace it, under its name? The others are new in each dump, and named after it
    /// (name_after).
    std::vector<bool> lasting;
    std::vector<Step> dump;
    std::vector<Step> restart;      ///< reads one file; none: a run cannot begin with a restart
    std::vector<DumpPart> parts{};  ///< in order, the first one from the first step; none: the dump is not divided
    std::vector<DumpPart> restart_parts{};  ///< the same of the restart
    std::vector<Step> input{};   ///< makes the input file of a run that names none; see RestartRules::reads_input
    std::uint64_t grows_by = 0;  ///< bytes that each dump after the first adds to lasting files
};

}  // namespace weir
