#pragma once

#include <string>

#include "apps/cloud/dump/layout.hpp"
#include "apps/cloud/dump/method.hpp"
#include "pattern/pattern.hpp"

namespace weir::cloud {

/// The I/O of a run, apart from what it computes.
struct RunShape {
    Triple cells{};
    Triple ranks{};        ///< along x, y, z
    Index first_step = 0;  ///< of the restart
    Index steps = 0;
    Index dump_every = 0;    ///< see dumps_after()
    bool restarted = false;  ///< a restart is read first
    Method method = Method::two_phase;
    bool plain = true;       ///< its pattern is what the method makes of arrays; else the arrays themselves
    bool collective = true;  ///< these are asked for by all ranks together
};

/// How many dumps the run makes. Local.
Index dumps_of(RunShape const&);

/// The name under which the restart file is written, before it takes the last one's place.
std::string restart_aside();

/// A file of a dump with its arrays: a header of six reals, then the fields or one picture. Local.
File file_with_arrays(DumpFile const&, Triple const& cells);

/// How ranks that stand along x, y and z divide an array (nx, ny, nz): in blocks. A header has one rank, number 0 of
/// the pattern's partitions; blocks are number 1.
std::vector<Partition> partitions_of(Triple const& ranks);

/// Where the files of a run stand in its pattern: the restart, the same while it is written, and the new ones of a
/// dump.
constexpr std::uint64_t restart_file = 0;
constexpr std::uint64_t restart_part = 1;
constexpr std::uint64_t first_new_file = 2;

/// What ranks ask for in reading a restart, or in making a dump whose new files stand from `first_new_file` on, in the
/// pattern that has these files and partitions; `advance` is how far those move on in repeats. Local.
std::vector<Step> steps_of_restart(Pattern const&);
std::vector<Step> steps_of_dump(Pattern const&, std::vector<std::int64_t> const& advance = {});

/// The restart file alone. Local.
std::vector<Step> steps_of_restart_dump(Pattern const&);

/// The same without that ranks do it together.
std::vector<Step> each_alone(std::vector<Step>);

/// What a run asks for, whatever the method: arrays. Local. Error (usage) as Dumps.
Pattern asked_pattern(RunShape const&);

/// Where it is plain, every request that Dumps makes, seek that the paper's routine would make, and message: what the
/// method makes of the pattern that is asked for; else that pattern. Local. Error (usage) as Dumps.
Pattern pattern_of(RunShape const&);

}  // namespace weir::cloud
