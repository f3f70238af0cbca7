#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "apps/common/run/application.hpp"

namespace weir::flash {

/// The benchmark's three files, in the order in which they are written.
enum class FileKind { checkpoint, plot, corner };
constexpr std::array<std::string_view, 3> enum_names(FileKind) { return {"checkpoint", "plot", "corner"}; }
constexpr std::size_t file_kinds = 3;

/// Are all unknowns of a file datasets of their own, or one dataset, [block][unknown][z][y][x]?
enum class UnknownDatasets { separate, one };
constexpr std::array<std::string_view, 2> enum_names(UnknownDatasets) { return {"separate", "one"}; }
constexpr std::array<std::string_view, 2> enum_words(UnknownDatasets) {
    return {"a dataset for each unknown", "one dataset for all unknowns"};
}

/// What the benchmark writes. Sizes and order of the files: M. Zingale's FLASH-IO of 2001, and its version for PnetCDF.
struct IoShape {
    std::uint64_t side = 8;     ///< cells along a block's side, without guard cells
    std::uint64_t blocks = 80;  ///< of rank 0; rank r has r mod 3 more
    UnknownDatasets datasets = UnknownDatasets::separate;
    bool netcdf = false;         ///< names, and the header in attributes, as the version for PnetCDF has them
    bool sync = false;           ///< sync each file before it is closed
    bool tree_together = false;  ///< write the tree collectively, as netCDF's version does
};

constexpr std::uint64_t of_rank0 = 0;  ///< the partition of arrays that rank 0 writes

/// Blocks of one rank, and of all.
std::uint64_t blocks_of(IoShape const&, std::uint64_t rank);
std::uint64_t all_blocks(IoShape const&, std::uint64_t ranks);

/// The arrays of a file, in three groups: the header, which rank 0 writes; the tree, a row a block; the unknowns.
struct FileArrays {
    std::vector<Array> header, tree, unknowns;
};
FileArrays groups_of(IoShape const&, FileKind, std::uint64_t ranks);

/// The same arrays with their places in a byte file.
std::vector<Array> one_after_the_other(std::vector<Array>);

/// All of them in this order. Byte files have them one after the other.
std::vector<Array> arrays_of(IoShape const&, FileKind, std::uint64_t ranks);

/// How FLASH's files are named by the format that a back-end writes: "hdf5_", "ncmpi_", or "raw_" for none.
std::string format_in_names(std::string const& backend);

/// The steps of the benchmark: the header by rank 0 alone, then each array by all ranks; a part for each file.
DumpPlan plan_of(IoShape const&, std::uint64_t ranks, std::string const& prefix);

}  // namespace weir::flash
