#pragma once

#include <cstddef>

#include "core/array_section.hpp"

namespace weir::array {

/// Copies equal runs of `length` bytes from places `from_step` apart to places `to_step` apart. Local.
void copy_rows(std::byte* to, std::int64_t to_step, std::byte const* from, std::int64_t from_step, std::size_t length,
               std::uint64_t rows);

/// The same with streaming (non-temporal) stores, if the machine has them and the runs are long enough: for data that
/// would leave the caches before it is read. Other threads see the bytes as after copy_rows.
void stream_rows(std::byte* to, std::int64_t to_step, std::byte const* from, std::int64_t from_step, std::size_t length,
                 std::uint64_t rows);

using CopyRows = decltype(&copy_rows);

}  // namespace weir::array
