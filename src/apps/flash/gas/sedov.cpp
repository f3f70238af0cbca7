#include "apps/flash/gas/sedov.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "apps/flash/gas/similarity.hpp"

namespace weir::flash {
namespace {

double distance(Corner const& a, Corner const& b) { return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]); }

}  // namespace

std::optional<double> exact_radius(Sedov const& sedov, Corner const& domain, double ball, double gamma, double time) {
    auto free = std::numeric_limits<double>::infinity();
    for (std::size_t a = 0; a < axes; ++a) {
        free = std::min({free, sedov.centre[a], domain[a] - sedov.centre[a]});
    }
    auto const radius = similarity_constant(gamma) * std::pow(sedov.energy * time * time, 0.2);
    constexpr double strong = 10;  // Mach number
    auto const speed = 0.4 * radius / time;
    auto const holds =
        time > 0 && ball <= radius && radius <= free && speed >= strong * std::sqrt(gamma * sedov.pressure);
    return holds ? std::optional(radius) : std::nullopt;
}

std::vector<Mark> marks_around(Sedov const& sedov, Tree const& tree, double h) {
    std::vector<Mark> marks(tree.size(), Mark::keep);
    for (std::size_t b = 0; b < tree.size(); ++b) {
        Corner nearest{};
        for (std::size_t a = 0; a < axes; ++a) {
            nearest[a] = std::clamp(sedov.centre[a], tree.lower_corner(b)[a], tree.upper_corner(b)[a]);
        }
        if (distance(nearest, sedov.centre) <= sedov.radius_cells * h) {
            marks[b] = Mark::refine;
        }
    }
    return marks;
}

void fill_sedov(Blocks& blocks, Sedov const& sedov, double h, double gamma) {
    auto const inside = [&](std::size_t b, Triple const& cell) {
        return distance(blocks.centre(b, cell), sedov.centre) < sedov.radius_cells * h;
    };
    auto const leaves = blocks.leaves();
    std::uint64_t count = 0;
    for (auto const b : leaves) {
        for_cells(blocks.interior(), [&](Triple const& cell) { count += inside(b, cell) ? 1 : 0; });
    }
    auto const volume_of_ball = static_cast<double>(blocks.comm().sum(count)) * h * h * h;
    auto const within = (gamma - 1) * sedov.energy / volume_of_ball;
    for (auto const b : leaves) {
        auto const cells = blocks.cells(b);
        for_cells(blocks.interior(), [&](Triple const& cell) {
            cells.set(cell, {1, 0, 0, 0, inside(b, cell) ? within : sedov.pressure});
        });
    }
}

}  // namespace weir::flash
