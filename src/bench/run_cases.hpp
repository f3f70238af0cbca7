#pragma once

#include "bench/case_file.hpp"
#include "bench/line_sink.hpp"
#include "comm/communicator.hpp"
#include "core/clock.hpp"
#include "core/error.hpp"

namespace weir {

/// Runs the cases in order, writing the lines of docs/reference/protocol.md on rank 0: launch and state, then begin,
/// samples, failures and again the state of each case, then end. A failed case does not stop the next. Returns the exit
/// code. Collective.
ExitCode run_cases(CaseFile const&, Communicator const&, Clock&, LineSink&);

/// Writes a `description` (or `failure`) line for each case; runs nothing. Local.
ExitCode describe_cases(CaseFile const&, LineSink&);

/// The output of a case in place of a run, if it asks for that; see Job::document(). Throws Error (usage). Local.
std::optional<Json> document_of(Case const&, std::optional<std::uint64_t> ranks);

/// The `failure` line of a case; empty `case_id`: a failure outside any case.
Json failure_line(std::string const& case_id, std::string const& benchmark, Diagnosis const&);

}  // namespace weir
