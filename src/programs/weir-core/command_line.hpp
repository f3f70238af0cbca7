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

// What carries it out without ranks.

/// Writes everything that one rank of a pattern file does, or all ranks one after the other, as CSV to standard output.
/// Throws Error.
void print_expansion(std::string const& path, std::optional<std::uint64_t> rank);

/// The pattern of that file as it is replayed: for so many ranks, with or without its gaps, with a phase in front that
/// makes the files that it only finds. Its files of lists are named by their whole path. Throws Error.
Json prepared_pattern(std::string const& path, std::optional<std::uint64_t> ranks, bool gaps);

/// What this weir-core can do: benchmarks with all their options, back-ends, how it was built.
Json schema();

/// This machine's topology (hwloc), first-touch times and MPI: the `machine` line.
Json describe_machine();

}  // namespace weir
