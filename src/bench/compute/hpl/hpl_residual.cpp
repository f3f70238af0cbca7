#include "bench/compute/hpl/hpl_residual.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace weir {
namespace {

double greatest_of_all(ProcessGrid const& grid, std::vector<double> const& numbers) {
    return greatest_magnitude(grid.all.all_gather(greatest_magnitude(numbers)));
}

void add_up(Communicator const& comm, std::vector<double>& sums) {
    check_mpi(
        MPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(sums.size()), MPI_DOUBLE, MPI_SUM, comm.handle()),
        "cannot add up rows or columns of the matrix");
}

}  // namespace

HplResidual hpl_residual(ProcessGrid const& grid, Blas const& blas, HplMatrix& matrix, std::vector<double> const& x) {
    auto const size = matrix.size();
    auto const& columns = matrix.columns();
    auto const count = columns.count_below(size, grid.column);
    std::vector<double> mine(count);
    for (std::uint64_t column = 0; column < count; ++column) {
        mine[column] = x[columns.global(column, grid.column)];
    }
    std::vector<double> right(matrix.local_rows());
    if (columns.owner(size) == grid.column) {
        matrix.copy_column(columns.local(size), right);
    }
    std::vector<double> difference(right.size());
    std::transform(right.begin(), right.end(), difference.begin(), [](double value) { return -value; });
    blas.multiply_add_by_rows(right.size(), count, 1.0, matrix.at(0, 0), matrix.ld(), mine.data(), difference.data());
    std::vector<double> of_rows(right.size());
    std::vector<double> of_columns(count);
    for (std::uint64_t row = 0; row < of_rows.size(); ++row) {
        for (std::uint64_t column = 0; column < count; ++column) {
            auto const magnitude = std::abs(*matrix.at(row, column));
            of_rows[row] += magnitude;
            of_columns[column] += magnitude;
        }
    }
    add_up(grid.in_row, difference);
    add_up(grid.in_row, of_rows);
    add_up(grid.in_column, of_columns);

    HplResidual found;
    found.difference = greatest_of_all(grid, difference);
    found.matrix = greatest_of_all(grid, of_rows);
    found.matrix_1 = greatest_of_all(grid, of_columns);
    found.right_side = greatest_of_all(grid, right);
    found.solution = greatest_magnitude(x);
    found.solution_1 =
        std::accumulate(x.begin(), x.end(), 0.0, [](double sum, double one) { return sum + std::abs(one); });
    constexpr double eps = 0x1p-53;
    found.scaled =
        found.difference / (eps * (found.matrix * found.solution + found.right_side) * static_cast<double>(size));
    return found;
}

}  // namespace weir
