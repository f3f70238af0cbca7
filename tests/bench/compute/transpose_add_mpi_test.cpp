#include <gtest/gtest.h>

#include <random>

#include "bench/compute/linear/numbers.hpp"
#include "bench/compute/ptrans/transpose_add.hpp"

namespace weir {
namespace {

TEST(TransposeAdd, HoldsOnEveryGridForEverySizeAndBlock) {
    auto const world = Communicator::world();
    std::mt19937_64 random(3);
    for (std::uint64_t ranks = 1; ranks <= world.size(); ++ranks) {
        auto const comm = world.split(world.rank() < ranks ? 0 : 1);
        for (int round = 0; round < 12; ++round) {
            auto const has_large_blocks = round % 4 == 3;  // of several pieces
            auto const size = 1 + random() % (has_large_blocks ? 250 : 90);
            auto const block = has_large_blocks ? 64 + random() % 70 : 1 + random() % 20;
            auto const part_bytes = std::uint64_t{1} << (random() % 14);
            for (std::uint64_t rows = 1; rows <= ranks; ++rows) {
                if (ranks % rows != 0 || world.rank() >= ranks) {
                    continue;
                }
                SCOPED_TRACE(fmt::format("n {} nb {} grid {} x {}", size, block, rows, ranks / rows));
                ProcessGrid const grid(comm, rows, ranks / rows);
                GridShape const shape(grid, size, block);
                std::vector<double> a(shape.local_rows * shape.local_columns);
                NodeBuffer const memory(comm, std::max<std::size_t>(a.size(), 1) * sizeof(double),
                                        round % 2 == 0 ? Pages::usual : Pages::large);
                auto* const b = reinterpret_cast<double*>(memory.of(comm.rank()));
                auto const each = [&](auto take) {
                    for (std::uint64_t column = 0; column < shape.local_columns; ++column) {
                        for (std::uint64_t row = 0; row < shape.local_rows; ++row) {
                            take(column * shape.local_rows + row, shape.rows.global(row, grid.row),
                                 shape.columns.global(column, grid.column));
                        }
                    }
                };
                CentredRandom const number(1);
                auto const of_a = [&](std::uint64_t i, std::uint64_t j) { return number(j * size + i); };
                auto const of_b = [&](std::uint64_t i, std::uint64_t j) { return number(~(j * size + i)); };
                each([&](std::uint64_t at, std::uint64_t i, std::uint64_t j) {
                    a[at] = of_a(i, j);
                    b[at] = of_b(i, j);
                });
                comm.barrier();
                TransposeAdd transpose(grid, shape, memory, part_bytes);
                transpose.run(0, 2, a.data());
                transpose.run(-1.5, 0.25, a.data());
                comm.barrier();
                each([&](std::uint64_t at, std::uint64_t i, std::uint64_t j) {
                    ASSERT_NEAR(a[at], 0.5 * of_a(i, j) - 1.5 * of_b(j, i), 1e-15) << i << ", " << j;
                });
            }
        }
    }
}

}  // namespace
}  // namespace weir
