#pragma once

#include <compare>
#include <cstdint>

namespace weir {

/// A number with its unit as a type. There is no arithmetic: take `.value`, compute, and wrap the result.
template <class Unit, class Number>
struct Quantity {
    Number value{};

    constexpr Quantity() = default;
    constexpr explicit Quantity(Number v) : value(v) {}
    constexpr auto operator<=>(Quantity const&) const = default;
};

using Bytes = Quantity<struct ByteUnit, std::uint64_t>;
using Seconds = Quantity<struct SecondUnit, double>;

}  // namespace weir
