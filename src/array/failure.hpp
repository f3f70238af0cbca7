#pragma once

#include <array>
#include <exception>
#include <optional>
#include <string>
#include <string_view>

#include "array/assembly.hpp"
#include "comm/communicator.hpp"
#include "weir/array.h"

namespace weir::array {

/// An error for the caller of the library, with its code and where it happened. It holds its message itself, as much of
/// it as a weir_error does: where memory is used up, there is none for a message.
class Failure : public std::exception {
  public:
    Failure(weir_code code, std::string_view message, int rank = -1) noexcept;

    [[nodiscard]] char const* what() const noexcept override { return message_.data(); }
    [[nodiscard]] weir_code code() const { return code_; }
    [[nodiscard]] int rank() const { return rank_; }

  private:
    weir_code code_;
    int rank_;
    std::array<char, WEIR_MESSAGE_SIZE> message_;
};

/// Throws Failure with `problem (reason) suggestion`.
[[noreturn]] void fail(weir_code, std::string const& problem, std::string const& reason, std::string const& suggestion);

/// Throws unless `ok`; the texts are made only where it is not.
template <class Texts>
void require(bool ok, weir_code code, Texts texts) {
    if (!ok) {
        auto const [problem, reason, suggestion] = texts();
        fail(code, problem, reason, suggestion);
    }
}

/// The failure of a system call, from its errno.
[[noreturn]] void fail_system(std::string const& problem, int error_number, std::string const& suggestion);

/// What an exception that is being handled means for the caller. To be called in a catch clause.
Failure current_failure() noexcept;

/// The first failure of a rank, kept while it goes on taking part in what all ranks do together. What can fail on one
/// rank stands in attempt(); what all ranks do together does not, since each must come to it.
class FirstFailure {
  public:
    /// Runs `work` unless something has failed before; keeps what it throws.
    template <class Work>
    void attempt(Work work) noexcept {
        if (!failure_) {
            try {
                work();
            } catch (...) {
                failure_ = current_failure();
            }
        }
    }
    [[nodiscard]] bool any() const { return failure_.has_value(); }

    /// Makes one rank's failure everybody's, also the trouble that a rank had with the communicator: throws the lowest
    /// rank's on all of them, as one of no rank if all have the same. Collective; one reduction of eight bytes, or one
    /// meeting, where nothing has failed.
    void agree(Communicator const&) const;
    void agree(Assembly&) const;

    /// For a meeting about other things too: a value that is greater, the lower the rank that has failed; and what is
    /// then thrown on all ranks, if the greatest of all is not 0.
    [[nodiscard]] std::uint64_t vote(Communicator const&) const;
    void throw_elected(Communicator const&, std::uint64_t greatest_vote) const;

  private:
    /// Of this rank, or its trouble.
    [[nodiscard]] std::optional<Failure> mine(Communicator const&) const;

    std::optional<Failure> failure_;
};

/// Root's text, on every rank. Collective; throws what a rank has brought, or that a rank has no memory for the text.
void broadcast(Communicator const&, std::string& text, FirstFailure&);

}  // namespace weir::array
