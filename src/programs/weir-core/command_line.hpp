#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>

#include "bench/case_file.hpp"

namespace weir {

/// The user's request to weir-core.
enum class Task { run_file, run_case, describe, expand, prepare, schema, machine };

struct Request {
    Task task = Task::run_file;
    std::string file;                    ///< for run_file, describe, expand and prepare
    Case one;                            ///< for run_case
    std::optional<std::uint64_t> rank;   ///< for expand; none: all
    std::optional<std::uint64_t> ranks;  ///< for prepare; none: as many as the pattern has
    bool gaps = true;                    ///< for prepare: keep the computation between requests
};

/// Reads the command line. Throws CLI::ParseError (also for --help) and Error (usage).
Request parse_command_line(CLI::App&, int argc, char** argv);

}  // namespace weir
