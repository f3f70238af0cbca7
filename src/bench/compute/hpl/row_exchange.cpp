#include "bench/compute/hpl/row_exchange.hpp"

#include <algorithm>
#include <map>
#include <numeric>

namespace weir {

RowMoves row_moves(std::uint64_t first, std::vector<std::uint64_t> const& pivots) {
    RowMoves moves;
    moves.sources.resize(pivots.size());
    std::iota(moves.sources.begin(), moves.sources.end(), first);
    std::map<std::uint64_t, std::uint64_t> outside;  // row to the row that is there now
    for (std::size_t i = 0; i < pivots.size(); ++i) {
        auto const pivot = pivots[i];
        if (pivot < first + pivots.size()) {
            std::swap(moves.sources[i], moves.sources[pivot - first]);
        } else {
            std::swap(moves.sources[i], outside.try_emplace(pivot, pivot).first->second);
        }
    }
    for (auto const& [row, from] : outside) {
        moves.displaced.push_back({row, from - first});
    }
    return moves;
}

RowExchange::RowExchange(ProcessGrid const& grid, SwapRoute route, std::uint64_t threshold)
    : grid_(grid), route_(route), threshold_(threshold), entering_(grid.rows), offsets_(grid.rows + 1) {}

double* RowExchange::move(HplMatrix& matrix, Panel const& panel, RowMoves const& moves, std::uint64_t first_column,
                          std::uint64_t columns) {
    top_.resize(panel.width * columns);
    if (grid_.rows == 1) {
        move_here(matrix, panel, moves, first_column, columns);
        return top_.data();
    }
    auto const& rows = matrix.rows();
    auto const width = panel.width;
    auto const diagonal = rows.owner(panel.begin);
    for (auto& some : entering_) {
        some.clear();
    }
    for (std::uint64_t i = 0; i < width; ++i) {
        entering_[rows.owner(moves.sources[i])].push_back(i);
    }
    // The rows of this rank that enter come first among the parts.
    for (std::uint64_t part = 0; part < grid_.rows; ++part) {
        offsets_[part + 1] = offsets_[part] + entering_[(grid_.row + part) % grid_.rows].size() * columns;
    }
    parts_.resize(width * columns);
    places_.clear();
    for (auto const i : entering_[grid_.row]) {
        places_.push_back(rows.local(moves.sources[i]));
    }
    collect(matrix, places_, first_column, columns, parts_.data());

    // Those that leave the diagonal block go to the rows of the grid where they belong, from the one that has it.
    std::vector<std::vector<RowMoves::Displaced>> to(grid_.rows);
    for (auto const& one : moves.displaced) {
        to[rows.owner(one.row)].push_back(one);
    }
    std::vector<MPI_Request> requests;
    auto const start = [&](auto call, double* data, std::uint64_t count, std::uint64_t peer) {
        requests.push_back(MPI_REQUEST_NULL);
        check_mpi(call(data, static_cast<int>(count), MPI_DOUBLE, static_cast<int>(peer), 0, grid_.in_column.handle(),
                       &requests.back()),
                  "cannot exchange rows");
    };
    leaving_.resize(moves.displaced.size() * columns);
    auto* mine = leaving_.data();
    if (panel.has_diagonal) {
        auto* at = leaving_.data();
        for (std::uint64_t other = 0; other < grid_.rows; ++other) {
            places_.clear();
            for (auto const& one : to[other]) {
                places_.push_back(panel.first_row + one.from);
            }
            collect(matrix, places_, first_column, columns, at);
            auto const count = places_.size() * columns;
            if (other == grid_.row) {
                mine = at;
            } else if (count > 0) {
                start(MPI_Isend, at, count, other);
            }
            at += count;
        }
    } else if (!to[grid_.row].empty()) {
        start(MPI_Irecv, leaving_.data(), to[grid_.row].size() * columns, diagonal);
    }
    gather_parts(columns);
    check_mpi(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
              "cannot exchange rows");
    places_.clear();
    for (auto const& one : to[grid_.row]) {
        places_.push_back(rows.local(one.row));
    }
    for (auto const place : places_) {
        std::copy_n(mine, columns, matrix.at(place, first_column));
        mine += columns;
    }
    for (std::uint64_t part = 0; part < grid_.rows; ++part) {
        auto const& some = entering_[(grid_.row + part) % grid_.rows];
        auto const* numbers = parts_.data() + offsets_[part];
        for (auto const place : some) {
            std::copy_n(numbers, columns, top_.data() + place * columns);
            numbers += columns;
        }
    }
    return top_.data();
}

void RowExchange::move_here(HplMatrix& matrix, Panel const& panel, RowMoves const& moves, std::uint64_t first_column,
                            std::uint64_t columns) {
    collect(matrix, moves.sources, first_column, columns, top_.data());
    for (auto const& one : moves.displaced) {
        std::copy_n(matrix.at(panel.first_row + one.from, first_column), columns, matrix.at(one.row, first_column));
    }
}

/// Numbers of these local rows, one after the other.
void RowExchange::collect(HplMatrix& matrix, std::vector<std::uint64_t> const& places, std::uint64_t first_column,
                          std::uint64_t columns, double* into) {
    for (auto const place : places) {
        std::copy_n(matrix.at(place, first_column), columns, into);
        into += columns;
    }
}

/// All parts to all rows of the grid: each rank's own lies first, then those of the next ranks in order, round the
/// grid.
void RowExchange::gather_parts(std::uint64_t columns) {
    auto const ranks = grid_.rows;
    auto const doubling = route_ == SwapRoute::binary_exchange || (route_ == SwapRoute::mix && columns <= threshold_);
    for (std::uint64_t known = 1; known < ranks;) {
        auto const parts = doubling ? std::min(known, ranks - known) : 1;
        auto const apart = doubling ? known : 1;
        pass(doubling ? 0 : known - 1, parts, (grid_.row + ranks - apart) % ranks, known, parts,
             (grid_.row + apart) % ranks);
        known += parts;
    }
}

void RowExchange::pass(std::uint64_t first, std::uint64_t parts, std::uint64_t to, std::uint64_t place,
                       std::uint64_t coming, std::uint64_t from) {
    auto const count = [&](std::uint64_t begin, std::uint64_t some) {
        return static_cast<int>(offsets_[begin + some] - offsets_[begin]);
    };
    check_mpi(MPI_Sendrecv(parts_.data() + offsets_[first], count(first, parts), MPI_DOUBLE, static_cast<int>(to), 1,
                           parts_.data() + offsets_[place], count(place, coming), MPI_DOUBLE, static_cast<int>(from), 1,
                           grid_.in_column.handle(), MPI_STATUS_IGNORE),
              "cannot exchange rows");
}

}  // namespace weir
