#pragma once

#include <optional>
#include <stdexcept>
#include <string>

#include "weir/array.h"

namespace weir::formats {

/// An error for the caller of the library.
class Failure : public std::runtime_error {
  public:
    Failure(int code, std::string const& message, int rank = -1)
        : std::runtime_error(message), code_(code), rank_(rank) {}
    explicit Failure(weir_error const& error) : Failure(error.code, error.message, error.rank) {}

    [[nodiscard]] int code() const { return code_; }  ///< a weir_code
    [[nodiscard]] int rank() const { return rank_; }

    /// As C has it.
    [[nodiscard]] weir_error error() const;

  private:
    int code_;
    int rank_;
};

/// Throws Failure with `problem (reason) suggestion`.
[[noreturn]] void fail(int code, std::string const& problem, std::string const& reason, std::string const& suggestion);

/// What an exception that is being handled means for the caller. To be called in a catch clause.
Failure current_failure();

/// Runs `work`, and keeps what it throws.
template <class Work>
std::optional<Failure> attempted(Work work) {
    try {
        work();
        return std::nullopt;
    } catch (...) {
        return current_failure();
    }
}

/// Runs `work`; its code, and its error where the caller wants it.
template <class Work>
int guarded(weir_error* error, Work work) {
    auto const failure = attempted(work);
    auto const what = failure ? failure->error() : weir_error{WEIR_OK, -1, {}};
    if (error != nullptr) {
        *error = what;
    }
    return what.code;
}

}  // namespace weir::formats
