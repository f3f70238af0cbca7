#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "comm/launch_check.hpp"
#include "core/json.hpp"
#include "core/quantity.hpp"

namespace weir {

/// One case to run: a benchmark and its options.
struct Case {
    std::string id;
    std::string benchmark;
    Json options;
    std::uint64_t ranks = 1;  ///< for a description; a run has the ranks of its launch
};

/// The id of a case given on the command line.
inline constexpr char const* command_line_case = "command-line";

/// The input of one launch (docs/reference/protocol.md).
struct CaseFile {
    LaunchExpectation expectation;
    std::optional<std::uint64_t> warm_memory_bytes;  ///< nothing: as much as the cases will cache
    std::vector<Case> cases;
    bool probe_state = true;                  ///< of the machine, around each case
    bool fresh = false;                       ///< the first case finds the libraries as a program does that starts
    std::optional<Seconds> stall_limit = {};  ///< how long no rank may make a step; nothing: nobody watches
};

/// Reads strictly; throws Error (usage) with the place of the error.
CaseFile case_file_from_json(std::string const& text);

}  // namespace weir
