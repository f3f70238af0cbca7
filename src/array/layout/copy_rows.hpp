#pragma once

#include <cstddef>

#include "core/array_section.hpp"

namespace weir::array {

/// Copies equal runs of `length` bytes from places `from_step` apart to places `to_step` apart. Local.
void copy_rows(std::byte* to, std::int64_t to_step, std::byte const* from, std::int64_t from_step, std::size_t length,
               std::uint64_t rows);

/// The same, past the caches where the machine can and the runs are long enough: for what they could not hold until it
/// is read again. Other threads see the bytes as after copy_rows.
void stream_rows(std::byte* to, std::int64_t to_step, std::byte const* from, std::int64_t from_step, std::size_t length,
                 std::uint64_t rows);

using CopyRows = decltype(&copy_rows);

}  // namespace weir::array
