#include "apps/cloud/dump/cloud_application.hpp"

#include <fmt/format.h>

#include "apps/cloud/dump/header.hpp"
#include "apps/common/decomposition_check.hpp"
#include "apps/common/gas/pencils.hpp"
#include "apps/common/grid.hpp"
#include "apps/common/run/application_job.hpp"
#include "core/error.hpp"

namespace weir::cloud {
namespace {

constexpr Index most_cells = Index{1} << 48;

RegisterApplication<CloudApplication> const registration;

}  // namespace

void CloudApplication::declare(OptionSet& options) {
    options.add("cells", cells_, "cells along x, y and z; the box is periodic and 1 long along x");
    options.words("cells", {{"*", "{} cells"}});
    options.add("ranks_along", ranks_along_,
                "ranks along x, y and z, such as 2x2x2; default: the grid whose blocks have the least surface");
    options.add("physics", computes_, "compute; otherwise only dump the initial state, repeatedly");
    options.add("resolution_stop", stops_unresolved_,
                "end the run, after a last dump, when four cells are no longer shorter than a cell's Jeans length "
                "(Truelove et al. 1997)");
    options.group("problem");
    options.add("problem", problem_.kind,
                "initial state: a cloud as in production, a cold sphere, Sedov's blast, Jeans's wave, Sod's tube");
    options.add("amplitude", problem_.amplitude,
                "amplitude of the density waves; 0: the problem's default, random 0.08, jeans 1e-4", {0.0, 1.0});
    options.add(
        "lengths", problem_.lengths,
        "length of the box (random) or of the wave (jeans) in Jeans lengths; 0: the problem's default, 3 and 0.5",
        {0.0, 1e3});
    options.add("seed", problem_.seed, "seed of the random cloud");
    options.group("gas");
    options.add(
        "gamma", problem_.gamma,
        "ratio of specific heats; 0: the problem's default, random 1.1, sedov and sod 1.4, jeans and sphere 5/3",
        {0.0, 10.0});
    options.add("riemann", gas_.riemann, "Riemann solver for the fluxes between cells");
    options.add("cfl", gas_.cfl, "cells that the fastest signal crosses in a step", {0.001, 1.0});
    options.add("viscosity", gas_.viscosity, "artificial viscosity; Colella and Woodward (1984), eq. 4.5", {0.0, 1.0});
    options.add("density_floor", gas_.density_floor, "raise lower densities to this value; 0: end the run instead",
                {0.0, {}});
    options.add("pressure_floor", gas_.pressure_floor, "raise lower pressures to this value; 0: end the run instead",
                {0.0, {}});
    options.group("potential");
    options.add("residual", stop_.residual,
                "solve until the residual is this fraction of the right-hand side; 0: all cycles", {0.0, 1.0});
    options.add("cycles", cycles_, "most V-cycles per step", {std::uint64_t{1}, std::uint64_t{1000}});
}

void CloudApplication::validate_choices(std::uint64_t ranks_of_run, bool whole_planes) const {
    auto const n = grid().cells;
    validate(static_cast<double>(n[0]) * static_cast<double>(n[1]) * static_cast<double>(n[2]) <=
                 static_cast<double>(most_cells),
             fmt::format("cells = {} are too many", cells_), "a run has 2^48 at most", "Choose fewer cells.");
    validate_problem(problem_);
    check_fit(n, static_cast<Index>(ranks_of_run), ranks(), {computes_ ? gas::ghosts : Index{1}, whole_planes});
}

DumpPlan CloudApplication::plan(std::uint64_t ranks_of_run, std::string const& /*backend*/) const {
    return files_of(grid().cells, ranks_along(grid(), static_cast<Index>(ranks_of_run), ranks()));
}

std::uint64_t CloudApplication::own_ranks() const {
    return static_cast<std::uint64_t>(volume(ranks().value_or(Triple{1, 1, 1})));
}

/// Measured as the peak of steps without dumps: for 128 x 128 x 128 cells 251 MiB on one rank, 151 on each of two.
std::uint64_t CloudApplication::memory_bytes(std::uint64_t ranks_of_run) const {
    constexpr std::uint64_t each = 112;
    constexpr std::uint64_t base = 32ULL << 20;
    return base + each * static_cast<std::uint64_t>(volume(grid().cells)) / ranks_of_run;
}

std::uint64_t CloudApplication::step_of(RestartFile const& file) const {
    return static_cast<std::uint64_t>(restart_header(file, grid().cells, physics().gas.gamma).step);
}

void CloudApplication::check_last_step(std::uint64_t step) const { check_step(static_cast<Index>(step)); }

void CloudApplication::check_in_the_way(std::filesystem::path const& path, DumpStrategy const& strategy) const {
    check_place_of_dump(path, strategy);
}

std::unique_ptr<Program> CloudApplication::start(Communicator const& comm, bool goes_on) const {
    State state(Decomposition(comm, grid(), ranks()));
    if (!goes_on) {
        problem_.fill(state);
        check_state(state, "the initial state", "Take a smaller amplitude.");
    }
    return std::make_unique<CloudProgram>(std::move(state), DumpTask{physics(), computes_, stops_unresolved_, goes_on});
}

Grid CloudApplication::grid() const {
    auto const n = parse_triple(cells_, "cells");
    return {n, 1.0 / static_cast<double>(n[0])};
}

std::optional<Triple> CloudApplication::ranks() const {
    return ranks_along_.empty() ? std::optional<Triple>{} : parse_triple(ranks_along_, "ranks_along");
}

Physics CloudApplication::physics() const {
    Physics p{gas_, problem_.gravity(grid()), stop_};
    p.gas.gamma = problem_.gamma_of_gas();
    p.stop.cycles = static_cast<Index>(cycles_);
    return p;
}

}  // namespace weir::cloud
