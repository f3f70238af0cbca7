#pragma once

#include <algorithm>
#include <cstdint>

namespace weir {

/// `to` <- `from` transposed, of rows x columns: `from` lies row by row, `to` column by column, `apart` from each
/// other. In tiles of whole lines of the cache, along the longer side: those of the next tile are fetched meanwhile, as
/// the processor by itself fetches nothing ahead across so many pages.
inline void transpose(std::uint64_t rows, std::uint64_t columns, double const* from, std::uint64_t from_apart,
                      double* to, std::uint64_t to_apart) {
    constexpr std::uint64_t tile = 8;
    auto const copy_tile = [=](std::uint64_t row, std::uint64_t column, std::uint64_t next_row,
                               std::uint64_t next_column) {
        for (std::uint64_t i = 0; i < tile; ++i) {
            __builtin_prefetch(from + (next_row + i) * from_apart + next_column);
            __builtin_prefetch(to + (next_column + i) * to_apart + next_row, 1);
        }
        for (std::uint64_t c = 0; c < tile; ++c) {
            for (std::uint64_t r = 0; r < tile; ++r) {
                to[(column + c) * to_apart + row + r] = from[(row + r) * from_apart + column + c];
            }
        }
    };
    auto const copy_edge = [=](std::uint64_t row, std::uint64_t column) {
        for (std::uint64_t c = column; c < std::min(column + tile, columns); ++c) {
            for (std::uint64_t r = row; r < std::min(row + tile, rows); ++r) {
                to[c * to_apart + r] = from[r * from_apart + c];
            }
        }
    };
    auto const is_tall = rows > columns;
    for (std::uint64_t along = 0; along < std::max(rows, columns); along += tile) {
        for (std::uint64_t beside = 0; beside < std::min(rows, columns); beside += tile) {
            auto const row = is_tall ? along : beside;
            auto const column = is_tall ? beside : along;
            if (row + tile > rows || column + tile > columns) {
                copy_edge(row, column);
            } else if (is_tall) {
                copy_tile(row, column, row + tile, column);
            } else {
                copy_tile(row, column, row, column + tile);
            }
        }
    }
}

}  // namespace weir
