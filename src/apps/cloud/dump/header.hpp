#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <string_view>

#include "apps/cloud/state.hpp"
#include "apps/common/run/application.hpp"
#include "apps/common/run/restart_reader.hpp"
#include "apps/common/run/strategy.hpp"

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

/// The six reals at the beginning of each file: cells along x, y and z, step, time, gamma; in the byte order of the
/// writing machine.
struct Header {
    Triple cells{};
    Index step = 0;
    float time = 0;
    float gamma = 0;

    friend bool operator==(Header const&, Header const&) = default;
};

/// Integers up to this are exact in single precision; the upper bound for cells and step of a dump.
constexpr Index greatest_in_header = Index{1} << 24;

/// Error (usage) if a dump cannot represent this step. Local.
void check_step(Index step);

/// Error (usage) as check_step().
std::array<float, 6> to_reals(Header const&);

/// Error (usage, naming `path`) if these reals are not a header, or have the other byte order.
Header header_from(std::array<float, 6> const&, std::string const& path);

/// The header of any file of a dump. Error (usage), naming it, if it has none. Local, as the next.
Header header_of(RestartFile const&);

/// The header of a restart. Error (usage), naming it, unless the restart is complete and has these cells and this
/// gamma.
Header restart_header(RestartFile const&, Triple const& cells, double gamma);

/// Error (cannot_run) if an existing file is not this user's dump of this strategy, possibly truncated: no other file
/// is replaced. Local.
void check_place_of_dump(std::filesystem::path const&, DumpStrategy const&);

}  // namespace weir::cloud
