#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apps/common/grid.hpp"

namespace weir::cloud {

/// What a file of a dump is for: Thakur, Gropp, Lusk: An experimental evaluation of the parallel I/O systems of the IBM
/// SP and Intel Paragon using a production application (1996), section 3.2.
enum class Purpose { analysis, restart, visualisation };

/// The fields of which pictures are made, one file each.
enum class Picture { density, pressure, speed, potential };
constexpr std::array<std::string_view, 4> enum_names(Picture) { return {"density", "pressure", "speed", "potential"}; }

constexpr std::uint64_t header_bytes = 24;  ///< six 4-byte reals, see Header

/// One file of a dump: a header, and arrays (nx, ny, nz) in column-major order, one behind the other.
struct DumpFile {
    std::string name;
    Purpose purpose = Purpose::analysis;
    Picture picture = Picture::density;  ///< of visualisation only
    std::uint64_t arrays = 6;            ///< rho, u, v, w, p, phi; of visualisation one
    std::uint64_t element_bytes = 4;     ///< single precision; of visualisation one byte

    [[nodiscard]] std::uint64_t array_bytes(Triple const& cells) const {
        return static_cast<std::uint64_t>(volume(cells)) * element_bytes;
    }
    [[nodiscard]] std::uint64_t bytes(Triple const& cells) const { return header_bytes + arrays * array_bytes(cells); }
};

/// The file that restarts read; each dump replaces it.
constexpr std::string_view restart_name = "restart";

/// The six files of the dump after so many steps, in the order in which they are written: "analysis-000005",
/// "restart", "density-000005", "pressure-000005", "speed-000005", "potential-000005".
std::vector<DumpFile> files_of_dump(Index step);

/// Does a run dump after this step? After the multiples of `dump_every`, wherever it began; 0: after none.
constexpr bool dumps_after(Index step, Index dump_every) { return dump_every > 0 && step % dump_every == 0; }

/// How often a run from step 0 on dumps until it has made so many steps.
constexpr Index dumps_until(Index step, Index dump_every) { return dump_every > 0 ? step / dump_every : 0; }

}  // namespace weir::cloud
