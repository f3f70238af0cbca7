#pragma once

#include <optional>
#include <stdexcept>
#include <string>

#include "array/assembly.hpp"
#include "comm/communicator.hpp"
#include "weir/array.h"

namespace weir::array {

/// An error for the caller of the library, with its code and where it happened.
class Failure : public std::runtime_error {
  public:
    Failure(weir_code code, std::string const& message, int rank = -1)
        : std::runtime_error(message), code_(code), rank_(rank) {}

    [[nodiscard]] weir_code code() const { return code_; }
    [[nodiscard]] int rank() const { return rank_; }

  private:
    weir_code code_;
    int rank_;
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
Failure current_failure();

/// The first failure of a rank, kept while it goes on taking part in what all ranks do together.
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

    /// Makes one rank's failure everybody's: throws the lowest rank's on all of them. Collective; one reduction of
    /// eight bytes, or one meeting, where nothing has failed.
    void agree(Communicator const&) const;
    void agree(Assembly&) const;

    /// For a meeting about other things too: a value that is greater, the lower the rank that has failed; and what is
    /// then thrown on all ranks, if the greatest of all is not 0.
    [[nodiscard]] std::uint64_t vote(Communicator const&) const;
    void throw_elected(Communicator const&, std::uint64_t greatest_vote) const;

  private:
    std::optional<Failure> failure_;
};

}  // namespace weir::array
