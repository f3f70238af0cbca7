#include "array/failure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <span>

#include "core/error.hpp"

namespace weir::array {

Failure::Failure(weir_code code, std::string_view message, int rank) noexcept : code_(code), rank_(rank) {
    auto const length = std::min(message.size(), message_.size() - 1);
    std::copy_n(message.begin(), length, message_.begin());
    message_[length] = 0;
}

void fail(weir_code code, std::string const& problem, std::string const& reason, std::string const& suggestion) {
    throw Failure(code, fmt::format("{} ({}) {}", problem, reason, suggestion));
}

void fail_system(std::string const& problem, int error_number, std::string const& suggestion) {
    fail(WEIR_IO, problem, std::strerror(error_number), suggestion);
}

Failure current_failure() noexcept {
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

std::optional<Failure> FirstFailure::mine(Communicator const& comm) const {
    if (failure_ || !comm.has_trouble()) {
        return failure_;
    }
    try {
        comm.throw_trouble();
    } catch (...) {
        return current_failure();
    }
}

std::uint64_t FirstFailure::vote(Communicator const& comm) const {
    return failure_ || comm.has_trouble() ? comm.size() - comm.rank() : 0;
}

void FirstFailure::throw_elected(Communicator const& comm, std::uint64_t greatest_vote) const {
    if (greatest_vote == 0) {
        return;
    }
    auto const first = comm.size() - greatest_vote;
    auto const own = mine(comm);
    comm.forget_trouble();
    weir_error told{};
    if (own) {
        told.code = own->code();
        std::strcpy(told.message, own->what());
    }
    comm.broadcast(std::as_writable_bytes(std::span(&told, 1)), first);
    bool const same = own && own->code() == told.code && std::strcmp(own->what(), told.message) == 0;
    bool const everywhere = comm.max(std::uint64_t{same ? 0U : 1U}) == 0 && comm.size() > 1;
    throw Failure(static_cast<weir_code>(told.code), told.message, everywhere ? -1 : static_cast<int>(first));
}

void FirstFailure::agree(Communicator const& comm) const { throw_elected(comm, comm.max(vote(comm))); }

void FirstFailure::agree(Assembly& assembly) const {
    auto const& comm = assembly.comm();
    throw_elected(comm, assembly.greatest({vote(comm), 0, 0})[0]);
}

void broadcast(Communicator const& comm, std::string& text, FirstFailure& failure) {
    std::uint64_t length = text.size();
    comm.broadcast(std::as_writable_bytes(std::span(&length, 1)));
    failure.attempt([&] { text.resize(length); });
    failure.agree(comm);
    comm.broadcast(std::as_writable_bytes(std::span(text)));
}

}  // namespace weir::array
