#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>

#include "bench/case_file.hpp"

namespace weir {

/// What the user asked weir-core to do.
enum class Task { run_file, run_case, describe, expand, prepare, schema, machine };

struct Request {
    Task task = Task::run_file;
    std::string file;                    ///< of run_file, describe, expand and prepare
    Case one;                            ///< of run_case
    std::optional<std::uint64_t> rank;   ///< of expand; none: all
    std::optional<std::uint64_t> ranks;  ///< of prepare; none: as many as the pattern says
    bool gaps = true;                    ///< of prepare: keep what the program computes between requests
};

/// Reads the command line. Throws CLI::ParseError (also for --help) and Error (usage).
Request parse_command_line(CLI::App&, int argc, char** argv);

}  // namespace weir
