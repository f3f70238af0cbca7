#include "bench/compute/hpl/lu.hpp"

#include <algorithm>

#include "core/interrupt.hpp"

namespace weir {
namespace {

/// Columns that are updated at a time: few where a rank must pass panels on in between, and never so many that nothing
/// is heard of a rank for seconds. The same on all ranks of a column of the grid.
std::uint64_t columns_at_a_time(ProcessGrid const& grid, std::uint64_t rows, std::uint64_t width) {
    constexpr std::uint64_t least = 1024;
    constexpr std::uint64_t most_operations = 20'000'000'000;
    auto const operations_of_column = 2 * (rows / grid.rows + 1) * width;
    return grid.columns > 2 ? least : std::max(least, most_operations / operations_of_column);
}

/// Adds the seconds until its end.
class TimedPart {
  public:
    TimedPart(Clock const& clock, double& sum_s) : clock_(clock), sum_s_(sum_s), from_s_(clock.now_s()) {}
    ~TimedPart() { sum_s_ += clock_.now_s() - from_s_; }
    TimedPart(TimedPart const&) = delete;
    TimedPart& operator=(TimedPart const&) = delete;

  private:
    Clock const& clock_;
    double& sum_s_;
    double from_s_;
};

}  // namespace

Lu::Lu(ProcessGrid const& grid, Blas const& blas, LuPlan const& plan, Clock const& clock)
    : grid_(grid), blas_(blas), plan_(plan), clock_(clock), exchange_(grid, plan.swap, plan.swap_threshold) {
    for (std::uint64_t i = 0; i <= plan.look_ahead; ++i) {
        slots_.push_back({{}, PanelBroadcast(grid.in_row, plan.route), {}, {}, false, false});
    }
}

std::vector<double> Lu::solve(HplMatrix& matrix, std::uint64_t block, std::function<void(std::uint64_t)> const& tell) {
    size_ = matrix.size();
    sees_off_ = plan_.most_waiting <= 0;
    auto const from_s = clock_.now_s();
    PanelFactor factors(grid_, blas_, block, plan_.least_columns);
    auto const blocks = matrix.rows().blocks();
    auto const ahead = std::min(plan_.look_ahead, blocks);
    for (std::uint64_t next = 0; next < ahead; ++next) {
        factor(matrix, factors, next);
        begin(matrix, next);
    }
    for (std::uint64_t step = 0; step < blocks; ++step) {
        auto const next = step + plan_.look_ahead;
        if (next < blocks) {
            factor(matrix, factors, next);
            begin(matrix, next);
        }
        auto& current = receive(step);
        if (current.panel.stop() != 0) {
            finish_all();
            throw_interrupted();
        }
        see_off(current, step, clock_.now_s() - from_s);
        note_step();
        auto const from = std::min((next + 1) * block, matrix.size());
        update(matrix, current, matrix.columns().count_below(from, grid_.column), matrix.local_columns());
        current.broadcast.finish();
        current.on_its_way = false;
        if (tell) {
            tell(step + 1);
        }
    }
    TimedPart const timed(clock_, times_.solve);
    return back_substitute(matrix);
}

/// Where this rank's column of the grid has the block: brings its columns up to date, and factors them.
void Lu::factor(HplMatrix& matrix, PanelFactor& factors, std::uint64_t block) {
    auto const width = matrix.rows().block;
    if (matrix.columns().owner(block * width) != grid_.column) {
        return;
    }
    auto const first = matrix.columns().local(block * width);
    auto const end = first + std::min(width, matrix.size() - block * width);
    auto const ahead = std::min(block, plan_.look_ahead);
    for (auto before = block - ahead; before + 1 < block; ++before) {
        update(matrix, receive(before), first, end);
    }
    auto& panel = slot(block).panel;
    panel.shape(matrix, grid_, block);
    if (ahead > 0) {
        auto& before = receive(block - 1);
        auto const upper = bring_up(matrix, before, first, end - first);
        take(matrix, factors, panel);
        TimedPart const timed(clock_, times_.update);
        factors.subtract(before.panel, upper.numbers, upper.apart);
    } else {
        take(matrix, factors, panel);
    }
    TimedPart const timed(clock_, times_.panel);
    factors.factor(matrix, panel);
    panel.sees_off() = sees_off_ ? 1 : 0;
}

void Lu::take(HplMatrix& matrix, PanelFactor& factors, Panel const& panel) {
    TimedPart const timed(clock_, times_.panel);
    factors.take(matrix, panel);
}

void Lu::begin(HplMatrix const& matrix, std::uint64_t block) {
    auto& some = slot(block);
    auto const root = matrix.columns().owner(block * matrix.rows().block);
    some.panel.shape(matrix, grid_, block);
    constexpr int tags = 16384;
    some.broadcast.begin(some.panel.numbers, root, static_cast<int>(block % tags));
    some.on_its_way = true;
    some.is_here = false;
}

Lu::PanelSlot& Lu::receive(std::uint64_t block) {
    auto& some = slot(block);
    if (!some.is_here) {
        TimedPart const timed(clock_, times_.waiting);
        some.broadcast.receive();
        sees_off_ = sees_off_ || some.panel.sees_off() != 0;
        std::vector<std::uint64_t> pivots(some.panel.width);
        auto const first = static_cast<double>(some.panel.begin);
        for (std::uint64_t i = 0; i < pivots.size(); ++i) {  // a damaged message must not lead outside the matrix
            auto const row = some.panel.pivots()[i];
            auto const is_row = row >= first + static_cast<double>(i) && row < static_cast<double>(size_);
            pivots[i] = is_row ? static_cast<std::uint64_t>(row) : some.panel.begin + i;
        }
        some.moves = row_moves(some.panel.begin, pivots);
        some.upper.prepare(some.panel);
        some.is_here = true;
    }
    return some;
}

/// Where MPI moves a message only while both ends are in its calls, as in shared memory without copies between
/// processes, ranks would wait for each other's updates in turn: there, who sends a panel stays until it is received.
/// All ranks of a row of the grid do, once one of them has waited much: they hear of it by its panels.
void Lu::see_off(PanelSlot& some, std::uint64_t step, double elapsed_s) {
    constexpr std::uint64_t filling = 2;  // at first, all wait for the first panel
    sees_off_ = sees_off_ || (step >= filling && times_.waiting > plan_.most_waiting * elapsed_s);
    if (sees_off_) {
        TimedPart const timed(clock_, times_.waiting);
        some.broadcast.finish();
    }
}

void Lu::update(HplMatrix& matrix, PanelSlot& some, std::uint64_t first_column, std::uint64_t end_column) {
    auto& panel = some.panel;
    auto const at_a_time = columns_at_a_time(grid_, matrix.size() - panel.begin, panel.width);
    for (auto column = first_column; column < end_column; column += at_a_time) {
        auto const columns = std::min(at_a_time, end_column - column);
        note_step();
        auto const upper = bring_up(matrix, some, column, columns);
        TimedPart const timed(clock_, times_.update);
        auto const done = panel.top_rows();
        blas_.gemm(columns, panel.rows - done, panel.width, -1.0, upper.numbers, upper.apart, panel.l(done),
                   panel.width, 1.0, matrix.at(panel.first_row + done, column), matrix.ld());
        for (auto& other : slots_) {
            if (other.on_its_way) {
                other.broadcast.progress();
            }
        }
    }
}

/// Where no rows cross the network, in parts that stay in the cache from the exchange to the solution.
Lu::Upper Lu::bring_up(HplMatrix& matrix, PanelSlot& some, std::uint64_t first_column, std::uint64_t columns) {
    auto& panel = some.panel;
    upper_.resize(panel.has_diagonal ? 0 : panel.width * columns);
    Upper const upper{panel.has_diagonal ? matrix.at(panel.first_row, first_column) : upper_.data(),
                      panel.has_diagonal ? matrix.ld() : columns};
    auto const at_a_time = grid_.rows == 1 ? UpperRows::in_cache : columns;
    for (std::uint64_t part = 0; part < columns; part += at_a_time) {
        auto const width = std::min(at_a_time, columns - part);
        double* top = nullptr;
        {
            TimedPart const timed(clock_, times_.swap);
            top = exchange_.move(matrix, panel, some.moves, first_column + part, width);
        }
        TimedPart const timed(clock_, times_.update);
        some.upper.solve(blas_, panel, width, top, width, upper.numbers + part, upper.apart);
    }
    return upper;
}

void Lu::finish_all() {
    for (auto& some : slots_) {
        if (some.on_its_way) {
            some.broadcast.finish();
            some.on_its_way = false;
        }
    }
}

/// U x = y by block columns from the last: the column of the grid that has the diagonal block solves it and takes it
/// out of the right side above, which then moves on to the column before.
std::vector<double> Lu::back_substitute(HplMatrix& matrix) {
    auto const& rows = matrix.rows();
    auto const& columns = matrix.columns();
    std::vector<double> x(matrix.size());
    std::vector<double> right(matrix.local_rows());
    auto at_column = columns.owner(matrix.size());
    if (at_column == grid_.column) {
        matrix.copy_column(columns.local(matrix.size()), right);
    }
    for (auto block = rows.blocks(); block-- > 0;) {
        auto const begin = block * rows.block;
        auto const width = std::min(rows.block, matrix.size() - begin);
        auto const column = columns.owner(begin);
        auto const above = rows.count_below(begin, grid_.row);
        if (column != at_column) {
            auto const count = static_cast<int>(rows.count_below(begin + width, grid_.row));
            if (grid_.column == at_column) {
                check_mpi(MPI_Send(right.data(), count, MPI_DOUBLE, static_cast<int>(column), 0, grid_.in_row.handle()),
                          "cannot pass on the right side");
            } else if (grid_.column == column) {
                check_mpi(MPI_Recv(right.data(), count, MPI_DOUBLE, static_cast<int>(at_column), 0,
                                   grid_.in_row.handle(), MPI_STATUS_IGNORE),
                          "cannot receive the right side");
            }
            at_column = column;
        }
        if (grid_.column != column) {
            continue;
        }
        auto* const part = x.data() + begin;
        auto const first = columns.local(begin);
        auto const diagonal = rows.owner(begin);
        if (diagonal == grid_.row) {
            std::copy_n(right.data() + above, width, part);
            blas_.solve_upper_by_rows(width, matrix.at(above, first), matrix.ld(), part);
        }
        check_mpi(
            MPI_Bcast(part, static_cast<int>(width), MPI_DOUBLE, static_cast<int>(diagonal), grid_.in_column.handle()),
            "cannot share a part of the solution");
        blas_.multiply_add_by_rows(above, width, -1.0, matrix.at(0, first), matrix.ld(), part, right.data());
        if (diagonal != grid_.row) {
            std::fill_n(part, width, 0.0);  // one rank of each part adds it to the sum
        }
    }
    std::vector<double> all(x.size());
    check_mpi(MPI_Allreduce(x.data(), all.data(), static_cast<int>(x.size()), MPI_DOUBLE, MPI_SUM, grid_.all.handle()),
              "cannot share the solution");
    return all;
}

}  // namespace weir
