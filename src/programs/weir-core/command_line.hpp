#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>

#include "bench/case_file.hpp"
#include "bench/line_sink.hpp"

namespace weir {

/// The user's request to weir-core.
enum class Task { run_file, run_case, describe, expand, prepare, simulate, schema, machine };

struct Request {
    Task task = Task::run_file;
    std::string file;                    ///< for run_file, describe, expand, prepare and simulate
    Case one;                            ///< for run_case
    std::optional<bool> as_table;        ///< for run_case; none: on a terminal
    std::optional<std::uint64_t> rank;   ///< for expand; none: all
    std::optional<std::uint64_t> ranks;  ///< for prepare; none: as many as the pattern has
    bool gaps = true;                    ///< for prepare: keep the computation between requests
};

/// Reads the command line. Throws CLI::ParseError (also for --help) and Error (usage).
Request parse_command_line(CLI::App&, int argc, char** argv);

// What carries it out without ranks.

/// Writes all actions of one rank of a pattern file, or of all ranks one after the other, as CSV to standard output.
/// Ends early if that is lost. Throws Error.
void print_expansion(std::string const& path, std::optional<std::uint64_t> rank, StandardOutputLines&);

/// The pattern of that file prepared for replay: for this many ranks, with or without its gaps, preceded by a phase
/// that creates the files that it only opens. Its list files are named by absolute path. Throws Error.
Json prepared_pattern(std::string const& path, std::optional<std::uint64_t> ranks, bool gaps);

/// What that file's pattern takes on its machine (sim/simulation_json.hpp); of a list of them, a list. Throws Error.
Json simulated_file(std::string const& path);

/// The capabilities of this weir-core: benchmarks with all their options, back-ends, build settings.
Json schema();

/// This machine's topology (hwloc), first-touch times and MPI: the `machine` line.
Json describe_machine();

}  // namespace weir
