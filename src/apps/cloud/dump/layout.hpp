#pragma once

#include <array>
#include <string_view>

#include "apps/cloud/state.hpp"
#include "apps/common/run/application.hpp"

namespace weir::cloud {

/// The fields with pictures, one file each.
enum class Picture { density, pressure, speed, potential };
constexpr std::array<std::string_view, 4> enum_names(Picture) { return {"density", "pressure", "speed", "potential"}; }

constexpr std::uint64_t header_bytes = 24;  ///< six 4-byte reals, see Header

/// The file that restarts read; each dump replaces it.
constexpr std::string_view restart_name = "restart";

/// The header array of each file.
Array header_array();

/// Bytes of a restart, and of an analysis file: a header, and six arrays in single precision.
std::uint64_t restart_bytes(Triple const& cells);

/// The six files of a dump: Thakur, Gropp, Lusk: An experimental evaluation of the parallel I/O systems of the IBM SP
/// and Intel Paragon using a production application (1996), section 3.2. Each has a header, and consecutive arrays (nx,
/// ny, nz) in column-major order: `analysis` and `restart` the six fields in single precision, and a picture each of
/// density, pressure, speed and potential, one byte per cell. The restart is written under a temporary name, synced and
/// renamed. `ranks`: along x, y and z. Local.
DumpPlan files_of(Triple const& cells, Triple const& ranks);

}  // namespace weir::cloud
