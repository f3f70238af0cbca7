#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "apps/common/run/application.hpp"
#include "apps/flash/amr/lists.hpp"
#include "apps/flash/gas/simulation.hpp"
#include "apps/flash/io/flash_io_files.hpp"
#include "apps/flash/tree/tree.hpp"

namespace weir::flash {

constexpr std::int32_t file_format_version = 9;

/// The variables of a checkpoint, in FLASH's units for a gas whose constant is 1: the energies are those of a unit of
/// mass, `gamc` and `game` its ratio of specific heats. Together with the tree, density, velocities and pressure are
/// the state of a run.
constexpr std::array<std::string_view, 10> variable_names{"dens", "eint", "ener", "gamc", "game",
                                                          "pres", "temp", "velx", "vely", "velz"};
constexpr std::array<std::string_view, 4> plotted_variables{"dens", "pres", "temp", "velx"};

/// The files of a dump.
enum class FilesWritten { all, checkpoint, plot, corner };
constexpr std::array<std::string_view, 4> enum_names(FilesWritten) { return {"all", "checkpoint", "plot", "corner"}; }

struct AmrShape {
    std::uint64_t side = 8;  ///< cells along a block's side
    FilesWritten files = FilesWritten::all;
    bool sync = false;  ///< sync plot files too before they are closed
};

/// Index of a plan's file; a checkpoint is written aside and renamed when it is complete.
enum AmrFile : std::uint64_t { checkpoint_file, aside_file, plot_file, corner_file, restart_file };

/// Scalars and runtime parameters, with the names that FLASH and its readers use and values still to be set. Each
/// problem has as many parameters.
Lists empty_scalars();
Lists empty_parameters(BlastKind);

/// The kind of file that one of the plan's holds.
FileKind kind_of(std::uint64_t file);

/// All arrays of a file with this many blocks: lists, tree, variables with their extremes as attributes. Byte files
/// have them one after the other, so that the lists' offsets do not depend on the blocks.
std::vector<Array> amr_arrays(AmrShape const&, FileKind, std::uint64_t blocks);

/// The plan of a dump of this tree, and of a restart from one.
DumpPlan amr_plan(AmrShape const&, Tree const&, std::uint64_t ranks, std::string const& backend);

}  // namespace weir::flash
