#include "boost/report.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <cstdio>
#include <string>

namespace weir::boost {
namespace {

constexpr std::array reasons{"",           "as quick by MPI", "empty", "not understood", "failed or at the file's end",
                             "other kinds"};

std::string told(Tally const& all, int ranks) {
    std::uint64_t left = 0;
    std::string why;
    for (std::size_t i = 1; i < all.calls.size(); ++i) {
        left += all.calls[i];
        if (all.calls[i] > 0) {
            why += fmt::format("{}{} {}", why.empty() ? ": " : ", ", all.calls[i] / static_cast<std::uint64_t>(ranks),
                               reasons[i]);
        }
    }
    auto const each = static_cast<std::uint64_t>(ranks);
    return fmt::format(
        "weir boost: {} collective calls taken over, {} left to MPI{}; {} pieces in {} requests; {:.3g} s and {:.3g} s "
        "a rank in them\n",
        all.calls[0] / each, left / each, why, all.pieces, all.requests, all.taken_s / ranks, all.left_s / ranks);
}

}  // namespace

Tally& tally() {
    static Tally all;
    return all;
}

void report() {
    auto const mine = tally();
    Tally all;
    int rank = 0;
    int ranks = 1;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
    PMPI_Reduce(mine.calls.data(), all.calls.data(), static_cast<int>(mine.calls.size()), MPI_UINT64_T, MPI_SUM, 0,
                MPI_COMM_WORLD);
    std::array<std::uint64_t, 2> const counts{mine.pieces, mine.requests};
    std::array<std::uint64_t, 2> sums{};
    PMPI_Reduce(counts.data(), sums.data(), 2, MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    std::array<double, 2> const times{mine.taken_s, mine.left_s};
    std::array<double, 2> time_sums{};
    PMPI_Reduce(times.data(), time_sums.data(), 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    all.pieces = sums[0];
    all.requests = sums[1];
    all.taken_s = time_sums[0];
    all.left_s = time_sums[1];
    bool const used = all.calls != decltype(all.calls){};
    if (rank == 0 && used) {
        std::fputs(told(all, ranks).c_str(), stderr);
    }
}

}  // namespace weir::boost
