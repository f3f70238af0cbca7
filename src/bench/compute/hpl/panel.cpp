#include "bench/compute/hpl/panel.hpp"

#include <algorithm>
#include <cmath>

#include "bench/compute/linear/transpose.hpp"
#include "core/interrupt.hpp"

namespace weir {
namespace {

/// A candidate for a pivot, as numbers: these, then its row of the panel, then the row that it changes places with.
enum Candidate { magnitude, row_of_it, has_current, stop_asked, rows_follow };

/// MPI_User_function: the greater magnitude, of equals the lower row; and the current row of whoever has it.
void keep_better(void* in, void* in_out, int* count, MPI_Datatype* type) {
    int bytes = 0;
    MPI_Type_size(*type, &bytes);
    auto const numbers = static_cast<std::size_t>(bytes) / sizeof(double);
    auto const width = (numbers - rows_follow) / 2;
    for (int i = 0; i < *count; ++i) {
        auto const* one = static_cast<double const*>(in) + static_cast<std::size_t>(i) * numbers;
        auto* best = static_cast<double*>(in_out) + static_cast<std::size_t>(i) * numbers;
        if (one[magnitude] > best[magnitude] ||
            (one[magnitude] == best[magnitude] && one[row_of_it] < best[row_of_it])) {
            best[magnitude] = one[magnitude];
            best[row_of_it] = one[row_of_it];
            std::copy_n(one + rows_follow, width, best + rows_follow);
        }
        if (one[has_current] != 0) {
            best[has_current] = 1;
            std::copy_n(one + rows_follow + width, width, best + rows_follow + width);
        }
        best[stop_asked] = std::max(best[stop_asked], one[stop_asked]);
    }
}

}  // namespace

void Panel::shape(HplMatrix const& matrix, ProcessGrid const& grid, std::uint64_t index) {
    begin = index * matrix.rows().block;
    width = std::min(matrix.rows().block, matrix.size() - begin);
    first_row = matrix.rows().count_below(begin, grid.row);
    rows = matrix.local_rows() - first_row;
    has_diagonal = matrix.rows().owner(begin) == grid.row;
    numbers.resize(rows * width + width * width + width + 2);
}

PanelFactor::PanelFactor(ProcessGrid const& grid, Blas const& blas, std::uint64_t block, std::uint64_t least_columns)
    : grid_(grid), blas_(blas), least_columns_(std::max<std::uint64_t>(least_columns, 1)) {
    mine_.resize(rows_follow + 2 * block);
    chosen_.resize(mine_.size());
    if (grid_.rows > 1) {
        check_mpi(MPI_Type_contiguous(static_cast<int>(mine_.size()), MPI_DOUBLE, &candidate_), "cannot make a type");
        check_mpi(MPI_Type_commit(&candidate_), "cannot make a type");
        check_mpi(MPI_Op_create(keep_better, 1, &better_), "cannot make an operation");
    }
}

PanelFactor::~PanelFactor() {
    if (grid_.rows > 1) {
        MPI_Type_free(&candidate_);
        MPI_Op_free(&better_);
    }
}

void PanelFactor::take(HplMatrix& matrix, Panel const& panel) {
    rows_ = matrix.rows();
    length_ = panel.rows;
    width_ = panel.width;
    columns_.resize(length_ * width_);
    tops_.resize(width_ * width_);
    auto const* const from = matrix.at(panel.first_row, matrix.columns().local(panel.begin));
    transpose(length_, width_, from, matrix.ld(), columns_.data(), length_);
    note_step();
}

void PanelFactor::subtract(Panel const& before, double const* u, std::uint64_t apart) {
    blas_.gemm_by_rows(length_, width_, before.width, -1.0, before.l(before.top_rows()), before.width, u, apart, 1.0,
                       columns_.data(), length_);
    note_step();
}

void PanelFactor::factor(HplMatrix& matrix, Panel& panel) {
    panel.stop() = stop_requested.load(std::memory_order_relaxed) ? 1 : 0;
    recurse(panel, 0, width_);
    transpose(width_, length_, columns_.data(), length_, panel.l(), width_);
    transpose(width_, width_, tops_.data(), width_, panel.top(), width_);
    if (panel.has_diagonal) {
        auto const first_column = matrix.columns().local(panel.begin);
        for (std::uint64_t row = 0; row < width_; ++row) {
            std::copy_n(panel.top(row) + row, width_ - row, matrix.at(panel.first_row + row, first_column + row));
        }
    }
}

void PanelFactor::recurse(Panel& panel, std::uint64_t first, std::uint64_t count) {
    if (count <= least_columns_) {
        for (auto column = first; column < first + count; ++column) {
            bring_up_to_date(panel, first, column);
            choose_pivot(panel, column);
            divide_by_pivot(panel, column);
        }
        return;
    }
    auto const left = (count / 2 + least_columns_ - 1) / least_columns_ * least_columns_;
    auto const middle = first + left;
    auto const right = count - left;
    recurse(panel, first, left);
    auto* top = top_of(middle) + first;
    blas_.solve_unit_lower(left, right, top_of(first) + first, width_, top, width_);
    auto const done = panel.has_diagonal ? middle : 0;
    blas_.gemm(length_ - done, right, left, -1.0, numbers_of(first) + done, length_, top, width_, 1.0,
               numbers_of(middle) + done, length_);
    recurse(panel, middle, right);
}

/// The row with the greatest number of this column changes places with the next row of the diagonal block. All rows of
/// the grid get it into `top`; whoever has it gets the other.
void PanelFactor::choose_pivot(Panel& panel, std::uint64_t column) {
    auto const width = width_;
    auto const room = (mine_.size() - rows_follow) / 2;
    auto const done = panel.has_diagonal ? column : 0;
    auto const best = done < length_ ? done + blas_.greatest(length_ - done, numbers_of(column) + done) : length_;
    // What is no number is greatest: all rows of the grid must choose the same row, also of a matrix gone wrong.
    auto const size = best < length_ ? std::abs(numbers_of(column)[best]) : -1;
    mine_[magnitude] = std::isnan(size) ? HUGE_VAL : size;
    mine_[row_of_it] = best < length_ ? static_cast<double>(rows_.global(panel.first_row + best, grid_.row)) : HUGE_VAL;
    mine_[has_current] = panel.has_diagonal ? 1 : 0;
    mine_[stop_asked] = panel.stop();
    for (std::uint64_t i = 0; i < width; ++i) {
        mine_[rows_follow + i] = best < length_ ? numbers_of(i)[best] : 0;
        mine_[rows_follow + room + i] = panel.has_diagonal ? numbers_of(i)[column] : 0;
    }
    auto const* chosen = mine_.data();
    if (grid_.rows > 1) {
        check_mpi(MPI_Allreduce(mine_.data(), chosen_.data(), 1, candidate_, better_, grid_.in_column.handle()),
                  "cannot choose a pivot");
        chosen = chosen_.data();
    }
    auto const is_row = chosen[row_of_it] < static_cast<double>(rows_.size);
    auto const pivot = is_row ? static_cast<std::uint64_t>(chosen[row_of_it]) : panel.begin + column;
    panel.pivots()[column] = static_cast<double>(pivot);
    panel.stop() = chosen[stop_asked];
    auto const is_mine = rows_.owner(pivot) == grid_.row && pivot != panel.begin + column;
    for (std::uint64_t i = 0; i < width; ++i) {
        top_of(i)[column] = chosen[rows_follow + i];
        if (is_mine) {
            numbers_of(i)[rows_.local(pivot) - panel.first_row] = chosen[rows_follow + room + i];
        }
    }
}

/// Takes the columns from `first` on out of this one: its rows of U, then, with them, the rest.
void PanelFactor::bring_up_to_date(Panel& panel, std::uint64_t first, std::uint64_t column) {
    auto* const u = top_of(column);
    for (auto before = first; before < column; ++before) {
        auto const* const l = top_of(before);
        for (auto row = before + 1; row < column; ++row) {
            u[row] -= l[row] * u[before];
        }
    }
    auto const done = panel.has_diagonal ? column : 0;
    blas_.multiply_add(length_ - done, column - first, -1.0, numbers_of(first) + done, length_, u + first,
                       numbers_of(column) + done);
}

void PanelFactor::divide_by_pivot(Panel& panel, std::uint64_t column) {
    auto const done = panel.has_diagonal ? column + 1 : 0;
    auto const scale = 1 / top_of(column)[column];
    auto* const own = numbers_of(column);
    std::for_each(own + done, own + length_, [&](double& number) { number *= scale; });
}

}  // namespace weir
