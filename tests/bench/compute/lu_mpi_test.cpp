#include <dlfcn.h>
#include <gtest/gtest.h>

#include <random>

#include "bench/compute/hpl/hpl_residual.hpp"
#include "bench/compute/hpl/lu.hpp"
#include "core/clock.hpp"
#include "core/enum_names.hpp"

namespace weir {
namespace {

/// By the LAPACK that comes with the BLAS; empty where it has none.
std::vector<double> solved_by_lapack(Blas const& blas, HplElements const& element) {
    using Gesv = void(int const* n, int const* nrhs, double* a, int const* lda, int* pivots, double* b, int const* ldb,
                      int* info);
    auto* gesv = reinterpret_cast<Gesv*>(dlsym(dlopen(blas.library().c_str(), RTLD_NOW), "dgesv_"));
    if (gesv == nullptr) {
        return {};
    }
    auto const size = element.size();
    std::vector<double> a(size * size);
    std::vector<double> x(size);
    for (std::uint64_t row = 0; row < size; ++row) {
        for (std::uint64_t column = 0; column < size; ++column) {
            a[column * size + row] = element(row, column);
        }
        x[row] = element(row, size);
    }
    std::vector<int> pivots(size);
    auto const n = static_cast<int>(size);
    int const one = 1;
    int info = 0;
    gesv(&n, &one, a.data(), &n, pivots.data(), x.data(), &n, &info);
    EXPECT_EQ(info, 0);
    return x;
}

/// The norms of the matrix, its solution and its right side, of which the scaled residual is made.
void compare_norms(HplElements const& element, std::vector<double> const& x, HplResidual const& found) {
    auto const size = element.size();
    std::vector<double> of_columns(size);
    double greatest_row = 0;
    double right_side = 0;
    double solution_1 = 0;
    double solution_i = 0;
    for (std::uint64_t row = 0; row < size; ++row) {
        double sum = 0;
        for (std::uint64_t column = 0; column < size; ++column) {
            sum += std::abs(element(row, column));
            of_columns[column] += std::abs(element(row, column));
        }
        greatest_row = std::max(greatest_row, sum);
        right_side = std::max(right_side, std::abs(element(row, size)));
        solution_1 += std::abs(x[row]);
        solution_i = std::max(solution_i, std::abs(x[row]));
    }
    constexpr double rounding = 1e-12;
    EXPECT_NEAR(found.matrix, greatest_row, rounding * greatest_row);
    EXPECT_NEAR(found.matrix_1, *std::max_element(of_columns.begin(), of_columns.end()), rounding * greatest_row);
    EXPECT_EQ(found.right_side, right_side);
    EXPECT_NEAR(found.solution_1, solution_1, rounding * solution_1);
    EXPECT_EQ(found.solution, solution_i);
}

struct LuCase {
    std::uint64_t size = 1;
    std::uint64_t block = 1;
    std::uint64_t rows = 1;
    LuPlan plan;
};

void solve_and_compare(Communicator const& comm, LuCase const& one) {
    SCOPED_TRACE(fmt::format("N {} NB {} grid {} x {} look-ahead {} route {} swap {} least {}", one.size, one.block,
                             one.rows, comm.size() / one.rows, one.plan.look_ahead, to_text(one.plan.route),
                             to_text(one.plan.swap), one.plan.least_columns));
    auto const& blas = Blas::load("auto", 1);
    ProcessGrid const grid(comm, one.rows, comm.size() / one.rows);
    HplElements const elements{one.size, 7};
    HplMatrix matrix(grid, one.size, one.block);
    matrix.fill(elements);
    MonotonicClock const clock;
    Lu lu(grid, blas, one.plan, clock);
    auto const x = lu.solve(matrix, one.block);
    auto const expected = solved_by_lapack(blas, elements);
    double scale = 0;
    for (auto const value : expected) {
        scale = std::max(scale, std::abs(value));
    }
    for (std::size_t i = 0; i < expected.size(); ++i) {
        ASSERT_NEAR(x[i], expected[i], 1e-10 * scale) << i;
    }
    matrix.fill(elements);
    auto const residual = hpl_residual(grid, blas, matrix, x);
    EXPECT_LT(residual.scaled, HplResidual::most);
    compare_norms(elements, x, residual);
    auto const terms = residual.matrix * residual.solution + residual.right_side;
    EXPECT_DOUBLE_EQ(residual.scaled * 0x1p-53 * terms * static_cast<double>(one.size), residual.difference);
    auto wrong = x;
    wrong[one.size / 2] += 1e-6 * std::max(scale, 1.0);
    EXPECT_GT(hpl_residual(grid, blas, matrix, wrong).scaled, HplResidual::most);
}

/// All grids of up to so many ranks, with random sizes and ways to go about it.
TEST(Lu, SolvesAsLapackDoesOnEveryGridInEveryWay) {
    auto const world = Communicator::world();
    std::mt19937_64 random(20);
    auto const any = [&](auto... values) {
        std::array<std::uint64_t, sizeof...(values)> const all{static_cast<std::uint64_t>(values)...};
        return all[random() % all.size()];
    };
    for (std::uint64_t ranks = 1; ranks <= world.size(); ++ranks) {
        auto const comm = world.split(world.rank() < ranks ? 0 : 1);
        for (int round = 0; round < 6; ++round) {
            for (std::uint64_t rows = 1; rows <= ranks; ++rows) {
                LuCase one;
                one.size = any(1, 2, 31, 64, 97, 150);
                one.block = any(1, 7, 8, 32, 192);
                one.rows = rows;
                one.plan.look_ahead = any(0, 1, 2, 3);
                one.plan.route = static_cast<PanelRoute>(round % 6);
                one.plan.swap = static_cast<SwapRoute>(round % 3);
                one.plan.swap_threshold = any(1, 16, 64);
                one.plan.least_columns = any(1, 2, 4, 8);
                one.plan.most_waiting = static_cast<double>(any(0, 1));
                if (ranks % rows == 0 && world.rank() < ranks) {
                    solve_and_compare(comm, one);
                }
            }
        }
    }
}

TEST(Lu, TakesTheGridThatIsNearestToSquare) {
    for (auto const& [ranks, rows] :
         {std::pair<std::uint64_t, std::uint64_t>{1, 1}, {2, 1}, {4, 2}, {6, 2}, {7, 1}, {9, 3}, {12, 3}}) {
        EXPECT_EQ(rows_of_grid(ranks), rows) << ranks;
    }
}

/// Sizes of several panels and messages, with the blocks that HPL is run with.
TEST(Lu, SolvesLargerSystemsAsLapackDoes) {
    auto const world = Communicator::world();
    auto const rows = rows_of_grid(world.size());
    LuCase one;
    one.rows = rows;
    for (auto const& [size, block, look_ahead] :
         {std::array<std::uint64_t, 3>{1000, 7, 2}, {1000, 192, 0}, {2003, 32, 1}, {2003, 192, 3}}) {
        one.size = size;
        one.block = block;
        one.plan.look_ahead = look_ahead;
        solve_and_compare(world, one);
    }
}

}  // namespace
}  // namespace weir
