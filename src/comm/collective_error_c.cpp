#include "comm/collective_error_c.hpp"

#include <array>
#include <functional>
#include <new>

#include "comm/collective_error.hpp"
#include "core/sentence.hpp"

namespace weir {

Failure::Failure(int code, std::string_view message, int rank) noexcept : error_{code, rank, {}} {
    message.copy(error_.message, WEIR_MESSAGE_SIZE - 1);
}

void fail(int code, std::string_view problem, std::string_view reason, std::string_view suggestion) {
    throw Failure(code, sentence(problem, reason, suggestion));
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
    return failure_ || !comm.has_trouble() ? failure_ : attempted([&] { comm.throw_trouble(); });
}

std::uint64_t FirstFailure::vote(Communicator const& comm) const {
    return vote_for(comm, failure_ || comm.has_trouble() ? 1 : 0);
}

void FirstFailure::throw_elected(Communicator const& comm, std::uint64_t greatest_vote) const {
    auto const first = elected(comm, greatest_vote);
    if (!first) {
        return;
    }
    auto const own = mine(comm);
    comm.forget_trouble();
    auto told = own ? own->error() : weir_error{};
    comm.broadcast(std::as_writable_bytes(std::span(&told, 1)), *first);
    bool const same = own && own->code() == told.code && std::strcmp(own->what(), told.message) == 0;
    bool const everywhere = comm.max(std::uint64_t{same ? 0U : 1U}) == 0 && comm.size() > 1;
    told.rank = everywhere ? -1 : static_cast<int>(*first);
    throw Failure(told);
}

namespace {

/// Do all ranks have the same number?
bool alike(Communicator const& comm, std::uint64_t mine) {
    std::array<std::uint64_t, 2> both{mine, ~mine};
    comm.max(both);
    return both[0] == ~both[1];
}

}  // namespace

void agree_on_text(Communicator const& comm, std::string const& mine, char const* problem, char const* suggestion) {
    auto const hash = static_cast<std::uint64_t>(std::hash<std::string>{}(mine));
    if (alike(comm, hash)) {
        return;
    }
    // As much of a text as fits a message.
    struct Told {
        std::uint64_t hash;
        char text[WEIR_MESSAGE_SIZE];
    } roots{hash, {}};
    mine.copy(roots.text, sizeof roots.text - 1);
    comm.broadcast(std::as_writable_bytes(std::span(&roots, 1)));
    FirstFailure differs;
    differs.attempt([&] {
        if (hash != roots.hash) {
            fail(WEIR_DISAGREE, problem, fmt::format("rank {}: {}; rank 0: {}", comm.rank(), mine, roots.text),
                 suggestion);
        }
    });
    differs.agree(comm);
}

void agree_on_texts(Communicator const& comm, std::span<std::string const> mine, FirstFailure const& before,
                    char const* problem, char const* suggestion) {
    std::uint64_t all = 0;
    for (auto const& text : mine) {
        all = all * 31 + std::hash<std::string>{}(text);
    }
    std::array<std::uint64_t, 3> values{before.vote(comm), all, ~all};
    comm.max(values);
    before.throw_elected(comm, values[0]);
    if (values[1] != ~values[2]) {
        for (auto const& text : mine) {
            agree_on_text(comm, text, problem, suggestion);
        }
    }
}

}  // namespace weir
