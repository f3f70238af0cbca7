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

/// An error for the caller of one of Weir's C libraries. Contains its message, cut to the length of a weir_error: when
/// memory is exhausted, none can be allocated.
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

/// The failure of a system call, from its errno, which is read before the problem is formatted.
template <class... Args>
[[noreturn]] void fail_system(int error_number, std::string_view suggestion, fmt::format_string<Args const&...> problem,
                              Args const&... args) {
    fail(WEIR_IO, fmt::format(problem, args...), std::strerror(error_number), suggestion);
}

/// The Failure for the exception that is being handled. Call it in a catch clause.
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

/// Runs `work` for a caller in C: returns the code of what it throws.
template <class Work>
int guarded(weir_error* error, Work work) {
    auto const failure = attempted(work);
    return report(failure ? failure->error() : weir_error{WEIR_OK, -1, {}}, error);
}

/// The first failure of a rank, kept while it continues to take part in collective steps. Steps that can fail on one
/// rank run in attempt(); collective calls do not, since every rank must make them.
class FirstFailure {
  public:
    /// Runs `work` unless there is an earlier failure; keeps what it throws. Local.
    template <class Work>
    void attempt(Work work) noexcept {
        if (!failure_) {
            failure_ = attempted(work);
        }
    }
    [[nodiscard]] bool any() const { return failure_.has_value(); }

    /// Makes one rank's failure everybody's, also a pending MPI error of the communicator: throws the lowest rank's on
    /// all ranks, without a rank if all have the same. Collective; one reduction of eight bytes if nothing has failed.
    void agree(Communicator const& comm) const { throw_elected(comm, comm.max(vote(comm))); }

    /// The two halves of agree(), for a reduction that carries other values too: this rank's vote; and the throw on all
    /// ranks, if the greatest of all votes is not 0.
    [[nodiscard]] std::uint64_t vote(Communicator const&) const;
    void throw_elected(Communicator const&, std::uint64_t greatest_vote) const;

    /// Work that only rank 0 does; its failure is thrown on all ranks. Collective.
    template <class Work>
    void on_root(Communicator const& comm, Work work) {
        if (comm.is_root()) {
            attempt(work);
        }
        agree(comm);
    }

    /// A list of `count` values that only rank 0 determines, on all ranks, or rank 0's failure. Collective; if the
    /// broadcast fails, the next agreement reports it.
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
    /// This rank's failure, or its pending MPI error.
    [[nodiscard]] std::optional<Failure> mine(Communicator const&) const;

    std::optional<Failure> failure_;
};

/// Throws Failure (WEIR_DISAGREE) unless all ranks give the same text. Collective.
void agree_on_text(Communicator const&, std::string const& mine, char const* problem, char const* suggestion);

/// The same for a list of texts: the failure names the first that differs, so that it fits a message. The first text
/// determines how many there are. An earlier failure of any rank is thrown instead, by the same reduction. Collective.
void agree_on_texts(Communicator const&, std::span<std::string const> mine, FirstFailure const& before,
                    char const* problem, char const* suggestion);

}  // namespace weir
