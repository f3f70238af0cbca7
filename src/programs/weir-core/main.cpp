// weir-core: runs benchmarks on the ranks that a launcher started. JSON Lines on standard output, messages on standard
// error.

#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <sstream>
#include <string>

#include "bench/run_cases.hpp"
#include "bench/terminal_table.hpp"
#include "comm/collective_error.hpp"
#include "comm/communicator.hpp"
#include "comm/launch_facts.hpp"
#include "core/interrupt.hpp"
#include "core/memory.hpp"
#include "core/standard_streams.hpp"
#include "core/terminal_text.hpp"
#include "core/text_file.hpp"
#include "programs/weir-core/command_line.hpp"
#include "programs/weir-core/handed.hpp"

namespace weir {
namespace {

std::string read_file(std::string const& path) {
    refuse_wrong_door(path, Door::cases);
    return read_named_file(path, fmt::format("the case file '{}'", path),
                           "Check the path; `weir-core --help` lists what else it takes.");
}

/// Only rank 0 reads the file: thousands of ranks opening one small file would load the file system.
CaseFile read_cases(Request const& request, Communicator const& comm) {
    if (request.task == Task::run_case) {
        return {{}, {}, {request.one}};
    }
    std::string text;
    run_together(comm, [&] { text = comm.is_root() ? read_file(request.file) : ""; });
    return case_file_from_json(comm.broadcast(text));
}

void report(Diagnosis const& diagnosis, LineSink& lines, bool speaks) {
    lines.write(failure_line("", "", diagnosis));
    if (speaks) {
        say(fmt::format("error: {}", Error(diagnosis).what()));
    }
}

ExitCode run_on_ranks(Request const& request, Communicator const& comm, LineSink& lines) {
    MonotonicClock clock;
    try {
        auto const file = read_cases(request, comm);
        refuse_broken_launch(comm.size(), ranks_of_launcher(), file.expectation);
        return run_cases(file, comm, clock, lines);
    } catch (Error const& error) {
        report(error.diagnosis(), lines, comm.is_root());
        return error.diagnosis().exit_code;
    }
}

ExitCode run_alone(Request const& request, StandardOutputLines& lines) {
    try {
        switch (request.task) {
            case Task::schema:
                lines.write(schema());
                break;
            case Task::machine:
                lines.write(describe_machine());
                break;
            case Task::expand:
                print_expansion(request.file, request.rank, lines);
                break;
            case Task::prepare:
                lines.write(prepared_pattern(request.file, request.ranks, request.gaps));
                break;
            case Task::simulate:
                lines.write(simulated_file(request.file));
                break;
            default:
                return describe_cases(case_file_from_json(read_file(request.file)), lines);
        }
        return ExitCode::fine;
    } catch (Error const& error) {
        report(error.diagnosis(), lines, true);
        return error.diagnosis().exit_code;
    }
}

/// Prints something once for all ranks: before MPI is initialised, no process knows its rank.
template <class Say>
void say_once(int& argc, char**& argv, Say say) {
    if (ranks_of_launcher().value_or(1) == 1) {
        say();
        return;
    }
    MpiSession const session(argc, argv);
    if (Communicator::world().is_root()) {
        say();
    }
}

/// Help and version are requests; a command line that cannot be parsed is a failure like others.
void refuse(CLI::App& app, CLI::ParseError const& error, StandardOutputLines& lines) {
    if (error.get_exit_code() == 0) {
        std::ostringstream text;
        app.exit(error, text, text);
        lines.write_text(text.str());
        return;
    }
    report({error.what(),
            "the command line could not be read",
            "`weir-core --help` lists what it takes.",
            ExitCode::usage,
            {},
            {}},
           lines, true);
}

/// Prints the document if a case asks for one instead of a run; otherwise returns nothing.
std::optional<ExitCode> print_document(Request const& request, int& argc, char**& argv, LineSink& lines) {
    if (request.task != Task::run_case) {
        return {};
    }
    try {
        auto const document = document_of(request.one, ranks_of_launcher());
        if (!document) {
            return {};
        }
        say_once(argc, argv, [&] { lines.write(*document); });
        return ExitCode::fine;
    } catch (Error const& error) {
        say_once(argc, argv, [&] { report(error.diagnosis(), lines, true); });
        return error.diagnosis().exit_code;
    }
}

/// The exit code if lines of results were lost: a reader that closes the pipe early is not an error, unless results of
/// a measurement were lost.
int code_of_lost(StandardOutputLines const& out, bool measured, int code) {
    if (out.lost() == 0) {
        return code;
    }
    if (out.lost() == EPIPE && !measured) {
        return code;
    }
    say(fmt::format(
        "error: results cannot be written to standard output ({}){} Free space there, or keep its reader running.",
        std::strerror(out.lost()), measured ? ", so that measuring ended." : "."));
    return static_cast<int>(ExitCode::usage);
}

/// A launcher may give its ranks a terminal of its own, and write what they print into a pipe.
bool shows_table(Request const& request) {
    auto const on_terminal = isatty(STDOUT_FILENO) == 1 && !ranks_of_launcher();
    return request.task == Task::run_case && request.as_table.value_or(on_terminal);
}

int run(int argc, char** argv, StandardOutputLines& out, bool& measured) {
    CLI::App app{"weir-core: measures on the ranks that a launcher started"};
    Request request;
    try {
        request = parse_command_line(app, argc, argv);
    } catch (CLI::ParseError const& error) {
        say_once(argc, argv, [&] { refuse(app, error, out); });
        return error.get_exit_code() == 0 ? 0 : static_cast<int>(ExitCode::usage);
    } catch (Error const& error) {
        say_once(argc, argv, [&] { report(error.diagnosis(), out, true); });
        return static_cast<int>(error.diagnosis().exit_code);
    }
    if (request.task != Task::run_case && request.task != Task::run_file) {
        return static_cast<int>(run_alone(request, out));
    }
    if (auto const ended = print_document(request, argc, argv, out)) {
        return static_cast<int>(*ended);
    }
    measured = true;
    keep_to_address_space();
    MpiSession const session(argc, argv);
    catch_interrupts();
    auto const comm = Communicator::world();
    NoLines none;
    TerminalTable table(out);
    auto& shown = shows_table(request) ? static_cast<LineSink&>(table) : out;
    try {
        return static_cast<int>(run_on_ranks(request, comm, comm.is_root() ? shown : none));
    } catch (std::exception const& defect) {
        // The other ranks would wait for this one forever.
        say(fmt::format("internal error on rank {}: {}\nThis is a defect of Weir; please report it.", comm.rank(),
                        defect.what()));
        std::fflush(stderr);
        MPI_Abort(MPI_COMM_WORLD, static_cast<int>(ExitCode::internal));
    }
    return static_cast<int>(ExitCode::internal);
}

}  // namespace
}  // namespace weir

int main(int argc, char** argv) {
    // A closed pipe must be a write error, after which files are removed; the signal would leave them.
    std::signal(SIGPIPE, SIG_IGN);
    weir::open_closed_streams();
    try {
        weir::StandardOutputLines out;
        bool measured = false;
        auto const code = weir::run(argc, argv, out, measured);
        return weir::code_of_lost(out, measured, code);
    } catch (weir::Error const& error) {
        weir::say(fmt::format("error: {}", error.what()));
        return static_cast<int>(error.diagnosis().exit_code);
    } catch (std::exception const& defect) {
        weir::say(fmt::format("internal error: {}\nThis is a defect of Weir; please report it.", defect.what()));
        return static_cast<int>(weir::ExitCode::internal);
    }
}
