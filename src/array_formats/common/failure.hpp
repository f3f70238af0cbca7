#pragma once

#include <exception>
#include <optional>
#include <string>
#include <string_view>

#include "weir/array.h"

namespace weir::formats {

/// An error for the caller of the library. It holds its message itself, as C has it: where memory is used up, there is
/// none for a message.
class Failure : public std::exception {
  public:
    Failure(int code, std::string_view message) noexcept;
    explicit Failure(weir_error const& error) noexcept : error_(error) {}

    [[nodiscard]] char const* what() const noexcept override { return error_.message; }
    [[nodiscard]] int code() const { return error_.code; }  ///< a weir_code
    [[nodiscard]] weir_error const& error() const { return error_; }

  private:
    weir_error error_;
};

/// Throws Failure with `problem (reason) suggestion`.
[[noreturn]] void fail(int code, std::string const& problem, std::string const& reason, std::string const& suggestion);

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
