#include "boost/report.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "boost/launch_report.hpp"
#include "boost/loaded_libraries.hpp"
#include "boost/settings.hpp"

namespace weir::boost {
namespace {

constexpr std::array reasons{
    "", "as quick by MPI", "empty", "not understood", "failed or at the file's end", "other kinds", "as asked"};

std::uint64_t left_of(Tally const& all) {
    std::uint64_t left = 0;
    for (std::size_t i = 1; i < all.calls.size(); ++i) {
        left += all.calls[i];
    }
    return left;
}

/// What was done, in a line.
std::string done(Launch const& launch) {
    auto const& all = launch.all;
    std::string why;
    for (std::size_t i = 1; i < all.calls.size(); ++i) {
        if (all.calls[i] > 0) {
            why += fmt::format("{}{} {}", why.empty() ? " (" : ", ", all.calls[i], reasons[i]);
        }
    }
    std::string times;
    auto const add_time = [&](double total_s, std::string const& what) {
        if (total_s > 0) {
            times += fmt::format("{}{:.3g} {}", times.empty() ? "" : ", ", total_s / launch.ranks, what);
        }
    };
    add_time(all.taken_s, "taken over");
    add_time(all.left_s, "left");
    add_time(all.around_s, "opens and views");
    add_time(all.independent_s, fmt::format("in {} independent calls", all.independent));
    return fmt::format(
        "weir boost: {} collective calls taken over, {} left to MPI{}{}; {} pieces in {} requests; s a rank: {}\n",
        all.calls[0], left_of(all), why, why.empty() ? "" : ")", all.pieces, all.requests, times);
}

/// Did ranks move data independently, and more than the metadata that libraries write so?
bool moves_data_alone(Launch const& launch) {
    constexpr std::uint64_t much = 1 << 20;
    constexpr double share = 0.1;
    auto const& all = launch.all;
    auto const together_s = all.taken_s + all.left_s;
    return launch.alone > 1 && all.independent_bytes >= much && all.independent_s >= share * together_s;
}

/// What this library cannot reach, a line each.
std::string not_reached(Launch const& launch) {
    std::string text;
    if (moves_data_alone(launch)) {
        auto const* const hdf5 =
            ": HDF5 makes them collective by H5Pset_dxpl_mpio(dxpl, H5FD_MPIO_COLLECTIVE), h5py by "
            "`with dset.collective:`";
        text += fmt::format("weir boost: not reached: {} independent calls of {} ranks, {:.3g} MB{}\n",
                            launch.all.independent, launch.alone,
                            static_cast<double>(launch.all.independent_bytes) / 1e6, launch.hdf5 ? hdf5 : "");
    }
    bool const nothing = launch.all.calls == decltype(launch.all.calls){};
    if (nothing && has_own_driver(launch.pnetcdf)) {
        text += fmt::format("weir boost: not reached: PnetCDF {} moves data by a driver of its own, without MPI-IO\n",
                            launch.pnetcdf);
    }
    return text;
}

/// What all ranks did, on rank 0. Collective.
Launch gathered() {
    auto const& mine = tally();
    Launch launch;
    PMPI_Comm_rank(MPI_COMM_WORLD, &launch.rank);
    PMPI_Comm_size(MPI_COMM_WORLD, &launch.ranks);
    auto& all = launch.all;
    PMPI_Reduce(mine.calls.data(), all.calls.data(), static_cast<int>(mine.calls.size()), MPI_UINT64_T, MPI_SUM, 0,
                MPI_COMM_WORLD);
    std::array<std::uint64_t, 5> const counts{mine.pieces, mine.requests, mine.independent, mine.independent_bytes,
                                              mine.independent > 0 ? 1U : 0U};
    std::array<std::uint64_t, counts.size()> sums{};
    PMPI_Reduce(counts.data(), sums.data(), static_cast<int>(counts.size()), MPI_UINT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
    std::array<double, 4> const times{mine.taken_s, mine.left_s, mine.around_s, mine.independent_s};
    std::array<double, times.size()> time_sums{};
    PMPI_Reduce(times.data(), time_sums.data(), static_cast<int>(times.size()), MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    all.pieces = sums[0];
    all.requests = sums[1];
    all.independent = sums[2];
    all.independent_bytes = sums[3];
    launch.alone = sums[4];
    all.taken_s = time_sums[0];
    all.left_s = time_sums[1];
    all.around_s = time_sums[2];
    all.independent_s = time_sums[3];
    return launch;
}

/// "MPICH Version: 4.0.2" of what it says in many lines.
std::string first_words(std::string const& text) {
    std::string found;
    for (auto const c : text.substr(0, text.find_first_of(",\n"))) {
        if (std::isprint(static_cast<unsigned char>(c)) != 0 && !(c == ' ' && found.ends_with(' '))) {
            found += c;
        }
    }
    return found;
}

/// Whether a launcher says that this process is another rank than the first. Without a launcher it is alone.
bool is_later_rank() {
    for (auto const* const name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID", "PALS_RANKID"}) {
        if (auto const* const rank = std::getenv(name); rank != nullptr) {
            return std::string_view(rank) != "0";
        }
    }
    return false;
}

}  // namespace

Tally& tally() {
    static Tally all;
    return all;
}

void report() {
    auto launch = gathered();
    if (launch.rank != 0) {
        return;
    }
    launch.hdf5 = loaded_function("libhdf5", "H5Pset_dxpl_mpio") != nullptr;
    launch.pnetcdf = pnetcdf_version();
    auto text = not_reached(launch);
    if (auto const& word = settings().unknown; !word.empty()) {
        text += fmt::format("weir boost: WEIR_BOOST has the unknown word '{}'\n", word);
    }
    if (left_of(launch.all) + launch.all.calls[0] + launch.all.independent > 0) {
        text = done(launch) + text;
    }
    std::fputs(text.c_str(), stderr);
    keep(launch);
}

void report_other_mpi() {
    if (is_later_rank()) {
        return;
    }
    Launch launch;
    launch.other_mpi = first_words(program_mpi());
    std::fputs(
        fmt::format("weir boost: nothing taken over: built for {}, the program has {}\n", own_mpi(), launch.other_mpi)
            .c_str(),
        stderr);
    keep(launch);
}

}  // namespace weir::boost
