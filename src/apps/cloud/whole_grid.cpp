#include "apps/cloud/whole_grid.hpp"

#include <algorithm>

namespace weir::cloud {
namespace {

/// Visits the rows of the block that starts at a cell, each with the index of its first cell in the grid.
template <class Visit>
void for_rows(Decomposition const& where, Triple const& start, Visit visit) {
    auto const& n = where.cells();
    auto const& all = where.grid().cells;
    for (Index k = 0; k < n[2]; ++k) {
        for (Index j = 0; j < n[1]; ++j) {
            visit(start[0] + all[0] * (start[1] + j + all[1] * (start[2] + k)));
        }
    }
}

}  // namespace

void gather_grid(Decomposition const& where, std::span<double const> block, std::span<double> grid) {
    auto const& n = where.cells();
    auto const& ranks = where.ranks();
    auto const count = static_cast<std::size_t>(volume(n));
    Doubles blocks(count * where.comm().size());
    check_mpi(MPI_Allgather(block.data(), static_cast<int>(count), MPI_DOUBLE, blocks.data(), static_cast<int>(count),
                            MPI_DOUBLE, where.comm().handle()),
              "the blocks of a grid cannot be gathered");
    auto const* row = blocks.data();
    for (Index r = 0; r < volume(ranks); ++r) {
        Triple const start{r % ranks[0] * n[0], r / ranks[0] % ranks[1] * n[1], r / ranks[0] / ranks[1] * n[2]};
        for_rows(where, start, [&](Index at) {
            std::copy_n(row, n[0], grid.data() + at);
            row += n[0];
        });
    }
}

void take_block(Decomposition const& where, std::span<double const> grid, std::span<double> block) {
    auto const width = where.cells()[0];
    auto* row = block.data();
    for_rows(where, where.start(), [&](Index at) {
        std::copy_n(grid.data() + at, width, row);
        row += width;
    });
}

}  // namespace weir::cloud
