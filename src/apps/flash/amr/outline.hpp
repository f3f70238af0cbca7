#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "apps/common/run/restart_reader.hpp"
#include "apps/flash/amr/amr_files.hpp"
#include "apps/flash/gas/simulation.hpp"
#include "apps/flash/tree/tree.hpp"

namespace weir::flash {

/// What a checkpoint says about its run.
struct OutlineHead {
    Triple roots{};
    Boundaries boundaries{};
    std::int32_t side = 0;  ///< cells of a block along each axis
    std::int32_t step = 0;
    std::int32_t number = 0;  ///< of the checkpoint
    double time = 0;
    double dt = 0;
    double gamma = 0;
    BlastKind problem = BlastKind::sedov;
    Sedov blast;
    double ball = 0;  ///< radius of the ball that the blast began in
};

/// That, and where its blocks are: what has to be known before its arrays can be read.
struct Outline : OutlineHead {
    std::vector<Position> blocks;

    [[nodiscard]] Tree tree(std::string const& origin) const { return Tree::of(roots, boundaries, blocks, origin); }
};

/// Reads it. Error (usage), naming the file, if it is no checkpoint of this version, or if its blocks are no tree or
/// its lists of neighbours are not those of the tree. Local.
Outline read_outline(RestartFile const&);

/// As bytes and back, for sending it to other ranks. Local.
std::vector<std::byte> to_bytes(Outline const&);
Outline outline_from(std::vector<std::byte> const&);

/// The boundary with this name, as in FLASH's runtime parameters. Error (usage) for others.
Boundary boundary_from(std::string const& name, std::string const& file);

}  // namespace weir::flash
