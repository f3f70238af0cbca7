#include "bench/compute/ptrans/seen_transpose.hpp"

#include <algorithm>

namespace weir {
namespace {

constexpr std::uint64_t most_of_piece = 64;  ///< rows and columns: four such pieces stay in a cache of 256 KiB
constexpr std::uint64_t tile = 8;            ///< rows and columns: a line of the cache

/// The beginnings of so many columns, as long as a line of the cache.
void fetch(double const* at, std::uint64_t apart, std::uint64_t columns) {
    for (std::uint64_t column = 0; column < columns; ++column) {
        __builtin_prefetch(at + column * apart);
    }
}

inline void add_transposed(double* to, std::uint64_t to_apart, double const* from, std::uint64_t from_apart,
                           std::uint64_t rows, std::uint64_t columns, double alpha, double beta) {
    for (std::uint64_t column = 0; column < columns; ++column) {
        for (std::uint64_t row = 0; row < rows; ++row) {
            auto& number = to[column * to_apart + row];
            number = beta * number + alpha * from[row * from_apart + column];
        }
    }
}

}  // namespace

SeenTranspose::SeenTranspose(ProcessGrid const& grid, GridShape const& shape, NodeBuffer const& b)
    : grid_(grid), shape_(shape), b_(b) {
    restart();
}

void SeenTranspose::restart() { next_ = seen_from(0, 0); }

/// Block (I, J) of A lies on row I mod P and column J mod Q, the transposed one of B on row J and column I.
SeenTranspose::MatrixPiece SeenTranspose::piece_at(std::uint64_t row, std::uint64_t column) const {
    auto const length = [&](std::uint64_t at, std::uint64_t end) {
        auto const block = shape_.rows.block;
        return std::min({most_of_piece, block - at % block, end - at});
    };
    MatrixPiece piece{row, column, length(row, shape_.local_rows), length(column, shape_.local_columns)};
    auto const i = shape_.rows.global(row, grid_.row);
    auto const j = shape_.columns.global(column, grid_.column);
    auto const b_row = shape_.rows.owner(j);
    if (auto const* b = b_.of(b_row * grid_.columns + shape_.columns.owner(i))) {
        piece.apart = shape_.rows.count(b_row);
        piece.from = reinterpret_cast<double const*>(b) + shape_.columns.local(i) * piece.apart + shape_.rows.local(j);
    }
    return piece;
}

/// The first that is seen, at this place or behind it.
std::optional<SeenTranspose::MatrixPiece> SeenTranspose::seen_from(std::uint64_t row, std::uint64_t column) const {
    if (shape_.local_rows == 0) {
        return std::nullopt;
    }
    while (column < shape_.local_columns) {
        auto piece = piece_at(row, column);
        if (piece.from != nullptr) {
            return piece;
        }
        row += piece.rows;
        if (row == shape_.local_rows) {
            row = 0;
            column += piece.columns;
        }
    }
    return std::nullopt;
}

void SeenTranspose::add_next(double alpha, double beta, double* a) {
    auto const now = *next_;
    auto const apart = shape_.local_rows;
    auto const is_last = now.row + now.rows == shape_.local_rows;
    next_ = is_last ? seen_from(0, now.column + now.columns) : seen_from(now.row + now.rows, now.column);
    auto const coming = next_.value_or(now);
    auto const place = [&](MatrixPiece const& piece, std::uint64_t row, std::uint64_t column) {
        return a + (piece.column + column) * apart + piece.row + row;
    };
    for (std::uint64_t column = 0; column < now.columns; column += tile) {
        for (std::uint64_t row = 0; row < now.rows; row += tile) {
            if (row < coming.rows && column < coming.columns) {
                fetch(place(coming, row, column), apart, std::min(tile, coming.columns - column));
                fetch(coming.from + row * coming.apart + column, coming.apart, std::min(tile, coming.rows - row));
            }
            auto* const to = place(now, row, column);
            auto const* const from = now.from + row * now.apart + column;
            if (row + tile <= now.rows && column + tile <= now.columns) {  // most: the compiler knows how large
                add_transposed(to, apart, from, now.apart, tile, tile, alpha, beta);
            } else {
                add_transposed(to, apart, from, now.apart, std::min(tile, now.rows - row),
                               std::min(tile, now.columns - column), alpha, beta);
            }
        }
    }
}

}  // namespace weir
