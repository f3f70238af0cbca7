#include "array_formats/common/together.hpp"

#include <fmt/format.h>

#include <array>
#include <functional>

namespace weir::formats {
namespace {

/// Rank `root`'s error, on all ranks.
[[noreturn]] void throw_failure_of(MPI_Comm comm, int root, std::optional<Failure> const& mine) {
    weir_error error{};
    if (mine) {
        error = mine->error();
    }
    MPI_Bcast(&error, sizeof error, MPI_BYTE, root, comm);
    error.rank = root;
    throw Failure(error);
}

}  // namespace

void agree(MPI_Comm comm, std::optional<Failure> const& mine) {
    int rank = 0;
    int ranks = 1;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    int first = mine ? rank : ranks;
    MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, comm);
    if (first < ranks) {
        throw_failure_of(comm, first, mine);
    }
}

void agree(MPI_Comm comm, std::optional<Failure> const& mine, std::string const& said) {
    agree(comm, mine);
    auto const hash = static_cast<std::uint64_t>(std::hash<std::string>{}(said));
    std::array<std::uint64_t, 2> bounds{hash, ~hash};
    MPI_Allreduce(MPI_IN_PLACE, bounds.data(), 2, MPI_UINT64_T, MPI_MAX, comm);
    if (bounds[0] == ~bounds[1]) {
        return;
    }
    auto length = static_cast<std::uint64_t>(said.size());
    MPI_Bcast(&length, 1, MPI_UINT64_T, 0, comm);
    auto roots = said;
    roots.resize(length);
    MPI_Bcast(roots.data(), static_cast<int>(length), MPI_CHAR, 0, comm);
    agree(comm, said == roots ? std::nullopt : attempted([&] {
              fail(WEIR_DISAGREE, "ranks do not ask for the same", fmt::format("this one: {}; rank 0: {}", said, roots),
                   "Pass the same file, names and types on all ranks.");
          }));
}

}  // namespace weir::formats
