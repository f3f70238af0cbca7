#pragma once

#include <cstddef>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "weir/array/indices.hpp"

namespace weir::io {

/// A local array: an address, or a container (vector, span, array), whose size is then checked.
template <class Address>
class BasicBuffer {
  public:
    BasicBuffer(Address address) : address_(address) {}  // NOLINT(google-explicit-constructor)

    template <class Container,
              class = std::enable_if_t<std::is_convertible_v<decltype(std::data(std::declval<Container&>())), Address>>>
    BasicBuffer(Container&& container)  // NOLINT(google-explicit-constructor,bugprone-forwarding-reference-overload)
        : address_(std::data(container)),
          bytes_(static_cast<std::int64_t>(std::size(container) * sizeof(*std::data(container)))) {}

    [[nodiscard]] Address address() const noexcept { return address_; }
    [[nodiscard]] std::int64_t bytes() const noexcept { return bytes_; }  ///< -1: unknown

  private:
    Address address_;
    std::int64_t bytes_ = -1;
};
using Source = BasicBuffer<void const*>;
using Target = BasicBuffer<void*>;
using Sources = std::vector<Source>;
using Targets = std::vector<Target>;

namespace detail {

/// The error of a list that must have one entry per array of a plan; empty if its length is right.
inline std::string wrong_number(char const* what, std::size_t given, std::size_t arrays) {
    return given == arrays ? std::string()
                           : std::to_string(given) + " " + what + " were given for the plan's " +
                                 std::to_string(arrays) + " arrays (one an array is needed)";
}

/// The addresses of buffers, and the error in their number and sizes on this rank. An invalid buffer is passed as null:
/// then the call fails on all ranks, where an exception on this one alone would leave the others waiting.
class Addresses {
  public:
    template <class Address>
    Addresses(std::vector<BasicBuffer<Address>> const& buffers, Indices const& wanted)
        : addresses_(wanted.size()), wrong_(wrong_number("buffers", buffers.size(), wanted.size())) {
        for (std::size_t i = 0; i < wanted.size() && wrong_.empty(); ++i) {
            if (buffers[i].bytes() < 0 || buffers[i].bytes() == wanted[i]) {
                addresses_[i] = const_cast<void*>(buffers[i].address());
            } else {
                wrong_ = "the buffer of array " + std::to_string(i) + " has " + std::to_string(buffers[i].bytes()) +
                         " bytes (this rank's part, ghosts included, has " + std::to_string(wanted[i]) +
                         ") Array::local tells the size";
            }
        }
    }

    [[nodiscard]] void* const* data() const { return addresses_.data(); }

    /// A rank that holds nothing may pass any buffer.
    void check(int code, weir_error const& error) const {
        if (code != WEIR_OK && !wrong_.empty()) {
            throw Error(WEIR_BAD_ARGUMENT, wrong_);
        }
        detail::check(code, error);
    }

  private:
    std::vector<void*> addresses_;
    std::string wrong_;
};

}  // namespace detail

}  // namespace weir::io
