#include "apps/flash/amr/outline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "core/enum_names.hpp"
#include "core/error.hpp"

namespace weir::flash {
namespace {

/// The array with this name of a checkpoint of so many blocks.
Array array_called(std::string_view name, std::uint64_t blocks) {
    auto const arrays = amr_arrays({}, FileKind::checkpoint, blocks);
    auto const found = std::ranges::find(arrays, name, &Array::name);
    expect(found != arrays.end(), "a checkpoint has an array of this name");
    return *found;
}

template <class Number>
std::vector<Number> numbers(RestartFile const& file, std::string_view name, std::uint64_t blocks) {
    auto const bytes = file.array(array_called(name, blocks));
    std::vector<Number> found(bytes.size() / sizeof(Number));
    std::memcpy(found.data(), bytes.data(), bytes.size());
    return found;
}

void check_version(RestartFile const& file) {
    auto const bytes = file.array(array_called("sim info", 0));
    std::int32_t version = 0;
    std::memcpy(&version, bytes.data(), sizeof version);
    validate(version == file_format_version, file.path().string() + " is no FLASH checkpoint that can be continued",
             fmt::format("its file format version is {}, and {} is read", version, file_format_version),
             "Name a checkpoint that `flash` has written.");
}

Lists lists(RestartFile const& file, Lists empty, std::string const& what) {
    for (auto const& named : arrays_of(empty, what)) {
        auto const array = array_called(named.name, 0);
        take(empty, array, file.array(array));
    }
    return empty;
}

/// Files have those of one; values of the others stay 0.
Lists parameters_of_any_problem() {
    auto all = empty_parameters(BlastKind::sedov);
    for (auto const& one : empty_parameters(BlastKind::sod).reals) {
        if (std::ranges::find(all.reals, one.name, &Named<double>::name) == all.reals.end()) {
            all.reals.push_back(one);
        }
    }
    return all;
}

/// Where blocks are, from their levels and centres.
std::vector<Position> positions(std::vector<std::int32_t> const& levels, std::vector<double> const& centres,
                                Triple const& roots) {
    std::vector<Position> found(levels.size());
    for (std::size_t b = 0; b < found.size(); ++b) {
        found[b].level = levels[b] - 1;
        auto const edges = std::ldexp(static_cast<double>(roots[0]), found[b].level);
        for (std::size_t axis = 0; axis < axes; ++axis) {
            auto const place = std::floor(centres[axes * b + axis] * edges);
            found[b].at[axis] = std::isfinite(place) ? static_cast<Index>(std::clamp(place, -1.0, 0x1p40)) : -1;
        }
    }
    return found;
}

constexpr std::int32_t most_levels = 40;

}  // namespace

Boundary boundary_from(std::string const& name, std::string const& file) {
    for (auto const boundary : {Boundary::outflow, Boundary::reflecting, Boundary::periodic}) {
        if (name == to_text(boundary)) {
            return boundary;
        }
    }
    throw Error({fmt::format("{} has a boundary of type '{}'", file, name),
                 "outflow, reflecting and periodic ones can be continued", "Name another checkpoint.",
                 ExitCode::usage});
}

Outline read_outline(RestartFile const& file) {
    auto const path = file.path().string();
    check_version(file);
    auto scalars = lists(file, empty_scalars(), "scalars");
    validate(scalars.logicals.at(1).value == 1, path + " is no checkpoint",
             "plot files have single precision and a few variables", "Name a checkpoint, as flash_hdf5_chk_0000.");
    auto parameters = lists(file, parameters_of_any_problem(), "runtime parameters");
    Outline outline;
    outline.side = value_of(scalars.integers, "nxb");
    outline.step = value_of(scalars.integers, "nstep");
    outline.number = value_of(scalars.integers, "checkpointfilenumber");
    outline.time = value_of(scalars.reals, "time");
    outline.dt = value_of(scalars.reals, "dt");
    outline.gamma = value_of(parameters.reals, "gamma");
    outline.problem = value_of(parameters.reals, "sim_rholeft") > 0 ? BlastKind::sod : BlastKind::sedov;
    outline.blast.energy = value_of(parameters.reals, "sim_expenergy");
    outline.blast.pressure = value_of(parameters.reals, "sim_pambient");
    outline.ball = value_of(parameters.reals, "sim_rinit");
    for (std::size_t axis = 0; axis < axes; ++axis) {
        constexpr std::array<char, axes> names{'x', 'y', 'z'};
        outline.blast.centre.at(axis) = value_of(parameters.reals, fmt::format("sim_{}ctr", names.at(axis)));
        outline.roots.at(axis) = value_of(parameters.integers, fmt::format("nblock{}", names.at(axis)));
        outline.boundaries.at(axis) =
            boundary_from(value_of(parameters.strings, fmt::format("{}l_boundary_type", names.at(axis))), path);
    }
    auto const blocks = value_of(scalars.integers, "globalnumblocks");
    validate(blocks > 0 && outline.side > 0 && std::ranges::all_of(outline.roots, [](Index n) { return n > 0; }),
             path + " is no FLASH checkpoint",
             fmt::format("it says that it has {} blocks of {} cells a side", blocks, outline.side),
             "Name a checkpoint that `flash` has written.");
    validate(outline.time >= 0 && outline.dt > 0 && std::isfinite(outline.time + outline.dt) && outline.step >= 0,
             path + " is no FLASH checkpoint",
             fmt::format("it says that it is of time {:g}, step {} and a time step of {:g}", outline.time, outline.step,
                         outline.dt),
             "Name a checkpoint that `flash` has written.");
    auto const count = static_cast<std::uint64_t>(blocks);
    auto const levels = numbers<std::int32_t>(file, "refine level", count);
    auto const known = std::ranges::all_of(levels, [](auto level) { return level >= 1 && level <= most_levels; });
    validate(known, path + " is no FLASH checkpoint", "a block has an impossible level of refinement",
             "Name a checkpoint that `flash` has written.");
    outline.blocks = positions(levels, numbers<double>(file, "coordinates", count), outline.roots);
    check_neighbours(outline.tree(path), numbers<std::int32_t>(file, "gid", count), path);
    return outline;
}

std::vector<std::byte> to_bytes(Outline const& outline) {
    OutlineHead const head = outline;
    std::vector<std::byte> bytes(sizeof head + outline.blocks.size() * sizeof(Position));
    std::memcpy(bytes.data(), &head, sizeof head);
    std::memcpy(bytes.data() + sizeof head, outline.blocks.data(), bytes.size() - sizeof head);
    return bytes;
}

Outline outline_from(std::vector<std::byte> const& bytes) {
    OutlineHead head;
    std::memcpy(&head, bytes.data(), sizeof head);
    Outline outline{head, std::vector<Position>((bytes.size() - sizeof head) / sizeof(Position))};
    std::memcpy(outline.blocks.data(), bytes.data() + sizeof head, bytes.size() - sizeof head);
    return outline;
}

}  // namespace weir::flash
