#pragma once

#include <fmt/format.h>

#include <cstring>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "comm/communicator.hpp"
#include "weir/array.h"

namespace weir {

/// An error for the caller of one of Weir's C libraries. It holds its message itself, as much of it as a weir_error
/// does: where memory is used up, there is none for a message.
class Failure : public std::exception {
  public:
    Failure(int code, std::string_view message, int rank = -1) noexcept;
    explicit Failure(weir_error const& error) noexcept : error_(error) {}

    [[nodiscard]] char const* what() const noexcept override { return error_.message; }
    [[nodiscard]] int code() const { return error_.code; }  ///< a weir_code
    [[nodiscard]] int rank() const { return error_.rank; }
    [[nodiscard]] weir_error const& error() const { return error_; }

  private:
    weir_error error_;
};

/// Throws Failure with `problem (reason) suggestion`.
[[noreturn]] void fail(int code, std::string_view problem, std::string_view reason, std::string_view suggestion);

/// The failure of a system call, from its errno; the problem is formatted after that was looked at.
template <class... Args>
[[noreturn]] void fail_system(int error_number, std::string_view suggestion, fmt::format_string<Args const&...> problem,
                              Args const&... args) {
    fail(WEIR_IO, fmt::format(problem, args...), std::strerror(error_number), suggestion);
}

/// What an exception that is being handled means for the caller. To be called in a catch clause.
Failure current_failure() noexcept;

/// Runs `work`, and keeps what it throws.
template <class Work>
std::optional<Failure> attempted(Work work) noexcept {
    try {
        work();
        return std::nullopt;
    } catch (...) {
        return current_failure();
    }
}

/// Copies the error to a C caller's weir_error, unless that is null; returns its code.
inline int report(weir_error const& what, weir_error* error) {
    if (error != nullptr) {
        *error = what;
    }
    return what.code;
}

/// Runs `work` for a caller in C: what it throws becomes a code.
template <class Work>
int guarded(weir_error* error, Work work) {
    auto const failure = attempted(work);
    return report(failure ? failure->error() : weir_error{WEIR_OK, -1, {}}, error);
}

/// The first failure of a rank, kept while it goes on taking part in collective steps. What can fail on one rank runs
/// in attempt(); collective calls do not, since every rank must make them.
class FirstFailure {
  public:
    /// Runs `work` unless something has failed before; keeps what it throws. Local.
    template <class Work>
    void attempt(Work work) noexcept {
        if (!failure_) {
            failure_ = attempted(work);
        }
    }
    [[nodiscard]] bool any() const { return failure_.has_value(); }

    /// Makes one rank's failure everybody's, also the trouble that a rank had with the communicator: throws the lowest
    /// rank's on all of them, as one of no rank if all have the same. Collective; one reduction of eight bytes where
    /// nothing has failed.
    void agree(Communicator const& comm) const { throw_elected(comm, comm.max(vote(comm))); }

    /// The two halves of agree(), for a reduction of other values too: this rank's vote; and what is then thrown on all
    /// ranks, if the greatest of all votes is not 0.
    [[nodiscard]] std::uint64_t vote(Communicator const&) const;
    void throw_elected(Communicator const&, std::uint64_t greatest_vote) const;

    /// What rank 0 alone does; its failure is everybody's. Collective.
    template <class Work>
    void on_root(Communicator const& comm, Work work) {
        if (comm.is_root()) {
            attempt(work);
        }
        agree(comm);
    }

    /// What rank 0 alone finds out, a list of `count` values: on all ranks, or its failure. Collective; where MPI fails
    /// to tell them, the next agreement does.
    template <class Value, class Work>
    std::vector<Value> found_by_root(Communicator const& comm, std::size_t count, Work work) {
        std::vector<Value> values;
        attempt([&] {
            values.resize(count);
            if (comm.is_root()) {
                values = work();
            }
        });
        agree(comm);
        comm.broadcast(std::as_writable_bytes(std::span(values)));
        return values;
    }

  private:
    /// Of this rank, or its trouble.
    [[nodiscard]] std::optional<Failure> mine(Communicator const&) const;

    std::optional<Failure> failure_;
};

/// Throws Failure (WEIR_DISAGREE) where ranks do not give the same text. Collective.
void agree_on_text(Communicator const&, std::string const& mine, char const* problem, char const* suggestion);

/// The same for a list of texts: the failure names the first that differs, so that a message has room for it. The first
/// text tells how many there are. Collective.
void agree_on_texts(Communicator const&, std::span<std::string const> mine, char const* problem,
                    char const* suggestion);

}  // namespace weir
