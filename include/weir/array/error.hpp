#pragma once

#include <stdexcept>
#include <string>

#include "weir/array.h"

namespace weir::io {

/// A failed call. what() reads `problem (reason) suggestion`.
class Error : public std::runtime_error {
  public:
    explicit Error(weir_error const& error) : runtime_error(error.message), code_(error.code), rank_(error.rank) {}
    Error(weir_code code, std::string const& message) : runtime_error(message), code_(code) {}

    [[nodiscard]] int code() const noexcept { return code_; }  ///< a weir_code
    [[nodiscard]] int rank() const noexcept {
        return rank_;
    }  ///< where it happened; -1: everywhere, or in a local call

  private:
    int code_;
    int rank_ = -1;
};

namespace detail {

inline void check(int code, weir_error const& error) {
    if (code != WEIR_OK) {
        throw Error(error);
    }
}

}  // namespace detail

}  // namespace weir::io
