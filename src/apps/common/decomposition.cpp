#include "apps/common/decomposition.hpp"

#include <fmt/format.h>

#include "core/error.hpp"

namespace weir {
namespace {

std::string text(Triple const& n) { return fmt::format("{} x {} x {}", n[0], n[1], n[2]); }

bool divides(Triple const& ranks, Triple const& cells) {
    return ranks[0] > 0 && ranks[1] > 0 && ranks[2] > 0 && cells[0] % ranks[0] == 0 && cells[1] % ranks[1] == 0 &&
           cells[2] % ranks[2] == 0;
}

/// Surface of a block in cell faces, halved.
Index surface(Triple const& cells, Triple const& ranks) {
    auto const nx = cells[0] / ranks[0];
    auto const ny = cells[1] / ranks[1];
    auto const nz = cells[2] / ranks[2];
    return (ranks[0] > 1 ? ny * nz : 0) + (ranks[1] > 1 ? nx * nz : 0) + (ranks[2] > 1 ? nx * ny : 0);
}

/// Prefers blocks thick enough for their neighbours' ghosts, then those with even numbers of cells: only these share a
/// multigrid's V-cycles.
bool is_better(Triple const& cells, Triple const& one, Triple const& other) {
    auto const thick = [&](Triple const& n) {
        return cells[0] / n[0] >= thick_block && cells[1] / n[1] >= thick_block && cells[2] / n[2] >= thick_block;
    };
    if (thick(one) != thick(other)) {
        return thick(one);
    }
    auto const even = [&](Triple const& n) { return all_even({cells[0] / n[0], cells[1] / n[1], cells[2] / n[2]}); };
    if (even(one) != even(other)) {
        return even(one);
    }
    return surface(cells, one) < surface(cells, other);
}

/// Of equal surfaces prefers cuts along z, then y: those faces are contiguous in memory.
Triple choose_ranks(Triple const& cells, Index size) {
    Triple best{};
    for (Index px = 1; px <= size; ++px) {
        for (Index py = 1; px * py <= size; ++py) {
            Triple const ranks{px, py, size / (px * py)};
            if (volume(ranks) == size && divides(ranks, cells) && (best[0] == 0 || is_better(cells, ranks, best))) {
                best = ranks;
            }
        }
    }
    return best;
}

}  // namespace

Triple ranks_along(Grid const& grid, Index size, std::optional<Triple> const& asked) {
    validate(grid.cells[0] > 0 && grid.cells[1] > 0 && grid.cells[2] > 0 && grid.spacing > 0,
             "the grid " + text(grid.cells) + " is not one of cells", "every direction needs at least one cell",
             "Give three positive numbers of cells.");
    auto const ranks = asked ? *asked : choose_ranks(grid.cells, size);
    validate(!asked || volume(ranks) == size, "the ranks " + text(ranks) + " do not fit this launch",
             fmt::format("it has {} ranks", size), "Give ranks along x, y and z whose product is that number.");
    validate(divides(ranks, grid.cells), "the grid " + text(grid.cells) + " cannot be divided evenly",
             asked ? "the ranks stand as " + text(ranks) : fmt::format("there are {} ranks", size),
             "Choose cells that are multiples of the ranks along each direction, or another number of ranks.");
    return ranks;
}

Decomposition::Decomposition(Communicator comm, Grid const& grid, std::optional<Triple> const& ranks)
    : comm_(std::move(comm)), grid_(grid), ranks_(ranks_along(grid, static_cast<Index>(comm_.size()), ranks)) {
    auto const rank = static_cast<Index>(comm_.rank());
    place_ = {rank % ranks_[0], rank / ranks_[0] % ranks_[1], rank / ranks_[0] / ranks_[1]};
    for (std::size_t a = 0; a < axes; ++a) {
        cells_[a] = grid.cells[a] / ranks_[a];
        start_[a] = place_[a] * cells_[a];
    }
}

int Decomposition::neighbour(std::size_t axis, int side) const {
    auto place = place_;
    place[axis] = (place[axis] + side + ranks_[axis]) % ranks_[axis];
    return static_cast<int>(place[0] + ranks_[0] * (place[1] + ranks_[1] * place[2]));
}

Decomposition Decomposition::coarser() const {
    auto const& n = grid_.cells;
    return {comm_, {{n[0] / 2, n[1] / 2, n[2] / 2}, 2 * grid_.spacing}, ranks_};
}

void FaceExchange::start(Decomposition const& where, std::size_t axis, int tag, Faces const& faces) {
    MPI_Comm const comm = where.comm().handle();
    auto const low = where.neighbour(axis, -1);
    auto const high = where.neighbour(axis, +1);
    auto const count = [](auto const& span) { return static_cast<int>(span.size()); };
    // With two ranks along the axis both neighbours are the same, and only the tag distinguishes its two messages.
    auto const downward = 2 * tag;
    auto const upward = 2 * tag + 1;
    auto const problem = "ghost cells cannot be exchanged";
    check_mpi(MPI_Irecv(faces.from_low.data(), count(faces.from_low), MPI_DOUBLE, low, upward, comm, &requests_[0]),
              problem);
    check_mpi(
        MPI_Irecv(faces.from_high.data(), count(faces.from_high), MPI_DOUBLE, high, downward, comm, &requests_[1]),
        problem);
    check_mpi(MPI_Isend(faces.to_low.data(), count(faces.to_low), MPI_DOUBLE, low, downward, comm, &requests_[2]),
              problem);
    check_mpi(MPI_Isend(faces.to_high.data(), count(faces.to_high), MPI_DOUBLE, high, upward, comm, &requests_[3]),
              problem);
    under_way_ = true;
}

void FaceExchange::finish() {
    if (under_way_) {
        check_mpi(MPI_Waitall(4, requests_.data(), MPI_STATUSES_IGNORE), "ghost cells cannot be exchanged");
        under_way_ = false;
    }
}

}  // namespace weir
