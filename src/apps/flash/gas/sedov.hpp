#pragma once

#include <optional>

#include "apps/flash/gas/blocks.hpp"

namespace weir::flash {

/// Sedov's blast as FLASH sets it up: an energy as pressure in a ball of a few cells, in cold gas of density 1 at rest.
/// Fryxell et al.: FLASH, Astrophys. J. Suppl. 131 (2000), section 7.2.
struct Sedov {
    Corner centre{0.5, 0.5, 0.5};
    double energy = 1;
    double pressure = 1e-5;     ///< of the surroundings
    double radius_cells = 3.5;  ///< of the ball, in cells of the finest level
};

/// The radius of the blast wave by the similarity solution, where that holds: the front has left the ball of this
/// radius, is a sphere all of which lies in the domain, whose high corner is given, and runs at Mach 10 at least into
/// the surroundings. Nothing elsewhere, nor if the domain cuts the ball.
std::optional<double> exact_radius(Sedov const&, Corner const& domain, double ball, double gamma, double time);

/// Marks that refine the leaves which the ball touches, `h` being the edge of the finest level's cells. Local.
std::vector<Mark> marks_around(Sedov const&, Tree const&, double h);

/// Fills leaves; those that the ball touches must have cells of the edge h. The blast's energy is that of the cells
/// whose centres are within the ball. Collective.
void fill_sedov(Blocks&, Sedov const&, double h, double gamma);

}  // namespace weir::flash
