#include "apps/cloud/program/cloud_options.hpp"

#include <fmt/format.h>

#include "apps/cloud/dump/header.hpp"
#include "apps/cloud/pencils.hpp"
#include "apps/common/fit.hpp"
#include "apps/common/triple_text.hpp"

namespace weir::cloud {
namespace {

constexpr Index most_cells = Index{1} << 48;
constexpr std::uint64_t most_steps = greatest_in_header;

}  // namespace

void CloudOptions::declare(OptionSet& options) {
    options.group("run");
    options.add("cells", cells, "cells along x, y and z; the box is 1 long along x, and periodic");
    options.add("ranks_along", ranks_along,
                "ranks along x, y and z, such as 2x2x2; left out, those whose blocks have the least surface");
    options.add("steps", steps, "time steps, counted from the restart if there is one", {std::uint64_t{0}, most_steps});
    options.add("physics", computes,
                "compute; without, only the dumps of the initial state are made, one after another");
    options.add("resolution_stop", stops_unresolved,
                "end the run, after a last dump, when four cells are no longer shorter than a cell's Jeans length "
                "(Truelove et al. 1997)");
    options.group("problem");
    options.add(
        "problem", problem.kind,
        "what it begins with: a cloud as in production, a cold sphere, Sedov's blast, Jeans's wave, Sod's tube");
    options.add("amplitude", problem.amplitude, "of the density's waves; 0: the problem's own, random 0.08, jeans 1e-4",
                {0.0, 1.0});
    options.add("lengths", problem.lengths,
                "the box's (random) or the wave's (jeans) length in Jeans lengths; 0: the problem's own, 3 and 0.5",
                {0.0, 1e3});
    options.add("seed", problem.seed, "of the random cloud");
    options.group("gas");
    options.add("gamma", problem.gamma,
                "ratio of specific heats; 0: the problem's own, random 1.1, sedov and sod 1.4, jeans and sphere 5/3",
                {0.0, 10.0});
    options.add("riemann", gas.riemann, "fluxes between cells");
    options.add("cfl", gas.cfl, "cells that the fastest signal crosses in a step", {0.001, 1.0});
    options.add("viscosity", gas.viscosity, "artificial; Colella and Woodward (1984), eq. 4.5", {0.0, 1.0});
    options.add("density_floor", gas.density_floor, "raise densities below; 0: never, and end the run", {0.0, {}});
    options.add("pressure_floor", gas.pressure_floor, "raise pressures below; 0: never, and end the run", {0.0, {}});
    options.group("potential");
    options.add("residual", stop.residual,
                "solve until the residual is this part of the right-hand side; 0: all cycles", {0.0, 1.0});
    options.add("cycles", cycles, "V-cycles a step at most", {std::uint64_t{1}, std::uint64_t{1000}});
    options.group("dumps");
    options.add("dump_every", dump_every, "dump after each step that is a multiple of this; 0: never",
                {std::uint64_t{0}, most_steps});
    options.add("method", method,
                "how arrays get into files: two-phase (Thakur et al. 1996), by rank 0 alone, each rank its own pieces");
    backend.declare(options,
                    "the way to storage; all but twophase make of arrays what they can, together or each alone");
    options.add("dir", directory, "the directory for dumps");
    options.add("keep", keep, "keep the files of the last repetition; those before have a directory of their own");
    options.add("foreign_folder", foreign_folder, "let root keep files in a directory that belongs to another user");
    options.add("restart", restart, "begin with this restart file, of a run of the same problem");
    options.add("restarted", restarted,
                "begin with a restart, as the paper's runs did: of the initial state, written before and not counted");
    options.group("measuring");
    measuring.declare(options);
    options.add("emit_pattern", emit_pattern,
                "print the pattern of the run's files, for weir replay, in place of running; needs no launcher where "
                "ranks_along is given");
    backend.declare_own(options);
}

void CloudOptions::validate_choices() const {
    auto const n = grid().cells;
    validate(static_cast<double>(n[0]) * static_cast<double>(n[1]) * static_cast<double>(n[2]) <=
                 static_cast<double>(most_cells),
             fmt::format("cells = {} are too many", cells), "a run has 2^48 at most", "Choose fewer cells.");
    validate(restart.empty() || !restarted, "restart and restarted contradict each other",
             fmt::format("a run begins with '{}' or with its own initial state", restart), "Leave out one of the two.");
    backend.validate_choice();
    auto const other = other_backend();
    validate(!other || method != Method::rank0, fmt::format("method = rank0 contradicts backend = {}", backend.name()),
             "it is the two-phase library that brings arrays to rank 0", "Leave one of them out.");
    validate(!reads() || backend.kind().features().stores,
             fmt::format("a restart contradicts backend = {}", backend.name()), "it stores nothing",
             "Choose another back-end, or begin without a restart.");
    static_cast<void>(ranks());  // refuses what cannot be read
    validate_problem(problem);
}

void CloudOptions::check_fit(Index size) const {
    auto const thinnest = computes ? ghosts : Index{1};
    weir::check_fit(grid().cells, size, ranks(),
                    {thinnest, has_files() && !other_backend() && method == Method::two_phase});
}

std::optional<OtherBackend> CloudOptions::other_backend() const {
    if (backend.name() == "twophase") {
        return {};
    }
    auto const features = backend.kind().features();
    return OtherBackend{&backend.object(), backend.name(), features.collective && method != Method::independent,
                        features.raw};
}

Grid CloudOptions::grid() const {
    auto const n = parse_triple(cells, "cells");
    return {n, 1.0 / static_cast<double>(n[0])};
}

std::optional<Triple> CloudOptions::ranks() const {
    return ranks_along.empty() ? std::optional<Triple>{} : parse_triple(ranks_along, "ranks_along");
}

Physics CloudOptions::physics() const {
    Physics p{gas, problem.gravity(grid()), stop};
    p.gas.gamma = problem.gamma_of_gas();
    p.stop.cycles = static_cast<Index>(cycles);
    return p;
}

}  // namespace weir::cloud
