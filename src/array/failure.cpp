#include "array/failure.hpp"

#include <fmt/format.h>

#include <cstring>
#include <new>

#include "core/error.hpp"

namespace weir::array {

void fail(weir_code code, std::string const& problem, std::string const& reason, std::string const& suggestion) {
    throw Failure(code, fmt::format("{} ({}) {}", problem, reason, suggestion));
}

void fail_system(std::string const& problem, int error_number, std::string const& suggestion) {
    fail(WEIR_IO, problem, std::strerror(error_number), suggestion);
}

Failure current_failure() {
    try {
        throw;
    } catch (Failure const& failure) {
        return failure;
    } catch (Error const& error) {
        return {error.diagnosis().exit_code == ExitCode::usage ? WEIR_BAD_ARGUMENT : WEIR_MPI, error.what()};
    } catch (std::bad_alloc const&) {
        return {WEIR_NO_MEMORY, "memory is used up"};
    } catch (std::exception const& error) {
        return {WEIR_INTERNAL, error.what()};
    } catch (...) {
        return {WEIR_INTERNAL, "an unknown exception"};
    }
}

std::uint64_t FirstFailure::vote(Communicator const& comm) const { return failure_ ? comm.size() - comm.rank() : 0; }

void FirstFailure::throw_elected(Communicator const& comm, std::uint64_t greatest_vote) const {
    if (greatest_vote == 0) {
        return;
    }
    auto const first = comm.size() - greatest_vote;
    auto const code = comm.broadcast(failure_ ? std::to_string(failure_->code()) : "", first);
    auto const text = comm.broadcast(failure_ ? failure_->what() : "", first);
    throw Failure(static_cast<weir_code>(std::stoi(code)), text, static_cast<int>(first));
}

void FirstFailure::agree(Communicator const& comm) const { throw_elected(comm, comm.max(vote(comm))); }

void FirstFailure::agree(Assembly& assembly) const {
    auto const& comm = assembly.comm();
    throw_elected(comm, assembly.greatest({vote(comm), 0, 0})[0]);
}

}  // namespace weir::array
