#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pattern/array.hpp"

namespace weir::flash {

// FLASH's lists of named values: datasets of a compound, a name of 80 characters and a value.

constexpr std::uint64_t characters_of_name = 80;

template <class Value>
struct Named {
    std::string name;  ///< in lower case
    Value value{};
};

/// Runtime parameters, or scalars: what a FLASH file says about its run besides its blocks.
struct Lists {
    std::vector<Named<std::int32_t>> integers;
    std::vector<Named<double>> reals;
    std::vector<Named<std::string>> strings;  ///< of 80 characters at most
    std::vector<Named<std::int32_t>> logicals;
};

/// The four datasets of such lists: "integer scalars", "real scalars", ...; `what` is "scalars" or "runtime
/// parameters".
std::vector<Array> arrays_of(Lists const&, std::string const& what);

/// The bytes of that dataset of the lists.
void fill(Lists const&, Array const&, std::span<std::byte>);

/// The lists' values from the bytes of a dataset; names that the lists do not have are ignored.
void take(Lists&, Array const&, std::span<std::byte const>);

/// The value with this name, which must be there.
template <class Value>
Value& value_of(std::vector<Named<Value>>& list, std::string_view name);

extern template std::int32_t& value_of(std::vector<Named<std::int32_t>>&, std::string_view);
extern template double& value_of(std::vector<Named<double>>&, std::string_view);
extern template std::string& value_of(std::vector<Named<std::string>>&, std::string_view);

/// Writes characters, filled up with blanks as Fortran does.
void put_text(std::span<std::byte> to, std::string_view text);

}  // namespace weir::flash
