#include "apps/cloud/dump/pattern_of_run.hpp"

#include <utility>

#include "apps/cloud/decomposition.hpp"
#include "apps/cloud/dump/plans.hpp"

namespace weir::cloud {
namespace {

/// A file of the pattern: its index, and how far that moves on with each turn of the repeats around its steps.
struct Place {
    std::uint64_t file = 0;
    std::vector<std::int64_t> advance;
};

std::uint64_t count(Index n) { return static_cast<std::uint64_t>(n); }

/// What is asked for of the first array of a file: the runs of whole planes, of all, or of each rank's block.
Access of_array(RunShape const& run, DumpFile const& file) {
    auto const& cells = run.cells;
    auto const element = static_cast<Index>(file.element_bytes);
    auto const row = cells[0] * element;
    auto const plane = cells[1] * row;
    auto const array = cells[2] * plane;
    auto const ranks = volume(run.ranks);
    Access access;
    switch (run.method) {
        case Method::two_phase:
            access.ranks = {0, count(ranks), 1};
            access.rank_levels = merged({{count(ranks), array / ranks}});
            access.extent.length = count(array / ranks);
            break;
        case Method::rank0:
            access.extent.length = count(array);
            break;
        case Method::independent: {
            auto const& [px, py, pz] = run.ranks;
            access.ranks = {0, count(ranks), 1};
            access.rank_levels = merged({{count(pz), array / pz}, {count(py), plane / py}, {count(px), row / px}});
            access.extent =
                coalesced({0, {{count(cells[2] / pz), plane}, {count(cells[1] / py), row}}, count(row / px)});
        }
    }
    access.extent.start = header_bytes;
    return access;
}

/// The same in requests as long as those of the two-phase library may be.
std::vector<Step> in_windows(Access access) {
    constexpr std::uint64_t longest = 1 << 30;
    auto const windows = access.extent.length / longest;
    auto const rest = access.extent.length % longest;
    std::vector<Step> parts;
    if (windows > 0) {
        access.extent.levels = {{windows, longest}};
        access.extent.length = longest;
        parts.emplace_back(access);
        access.extent.levels.clear();
        access.extent.start += windows * longest;
        access.extent.length = rest;
    }
    if (rest > 0) {
        parts.emplace_back(access);
    }
    return parts;
}

/// The ranks that open a file, in their order: rank 0, then the others unless all goes through rank 0.
std::vector<Ranks> openers_of(RunShape const& run) {
    auto const ranks = count(volume(run.ranks));
    std::vector<Ranks> openers{canonical({{0, 1, 1}}, ranks)};
    if (ranks > 1 && run.method != Method::rank0) {
        openers.push_back({{1, ranks - 1, 1}});
    }
    return openers;
}

/// Rank 0 opens it and moves the header, before any other rank opens what is there by then.
std::vector<Step> opening(RunShape const& run, Place const& place, OpenMode mode) {
    Access header;
    header.verb = mode == OpenMode::read ? Verb::read : Verb::write;
    header.file = place.file;
    header.file_advance = place.advance;
    header.extent.length = header_bytes;
    auto const openers = openers_of(run);
    std::vector<Step> steps{Open{place.file, mode, openers.front(), place.advance}, header};
    if (openers.size() > 1) {
        auto const later = mode == OpenMode::create ? OpenMode::update : mode;
        steps.emplace_back(Barrier{});
        steps.emplace_back(Open{place.file, later, openers.back(), place.advance});
    }
    return steps;
}

/// Arrays are turns of a repeat and no level of an extent, so that the pattern goes over to other numbers of ranks.
Step arrays_of(RunShape const& run, DumpFile const& file, Place const& place, OpenMode mode) {
    auto array = of_array(run, file);
    array.verb = mode == OpenMode::read ? Verb::read : Verb::write;
    array.file = place.file;
    array.file_advance = place.advance;
    array.file_advance.push_back(0);
    array.advance.assign(place.advance.size(), 0);
    array.advance.push_back(static_cast<std::int64_t>(file.array_bytes(run.cells)));
    return Repeat{file.arrays, run.method == Method::independent ? std::vector<Step>{array} : in_windows(array)};
}

/// All that is done with a file.
std::vector<Step> steps_on(RunShape const& run, DumpFile const& file, Place const& place, OpenMode mode) {
    auto steps = opening(run, place, mode);
    steps.push_back(arrays_of(run, file, place, mode));
    auto const openers = openers_of(run);
    auto const all = openers.size() > 1 ? Ranks{} : openers.front();
    if (file.purpose == Purpose::restart && mode == OpenMode::create) {
        steps.emplace_back(Sync{place.file, all, place.advance});
    }
    steps.emplace_back(Close{place.file, all, place.advance});
    return steps;
}

/// The restart is the first file of the pattern; behind it stand those that each dump makes anew.
std::vector<File> files_of(RunShape const& run) {
    std::vector<File> files{{std::string(restart_name)}};
    auto const before = dumps_until(run.first_step, run.dump_every);
    for (Index dump = 1; dump <= dumps_of(run); ++dump) {
        for (auto const& file : files_of_dump((before + dump) * run.dump_every)) {
            if (file.purpose != Purpose::restart) {
                files.push_back({file.name});
            }
        }
    }
    return files;
}

std::vector<Step> steps_of_dump(RunShape const& run) {
    auto const files = files_of_dump(run.first_step);
    auto const new_files = static_cast<std::int64_t>(files.size()) - 1;
    std::vector<Step> steps;
    std::uint64_t next = 1;
    for (auto const& file : files) {
        auto const place = file.purpose == Purpose::restart ? Place{0, {0}} : Place{next++, {new_files}};
        for (auto& step : steps_on(run, file, place, OpenMode::create)) {
            steps.push_back(std::move(step));
        }
    }
    return steps;
}

Phase phase(std::string name, std::vector<Step> steps) {
    Phase phase;
    phase.name = std::move(name);
    phase.steps = std::move(steps);
    return phase;
}

}  // namespace

Index dumps_of(RunShape const& run) {
    return dumps_until(run.first_step + run.steps, run.dump_every) - dumps_until(run.first_step, run.dump_every);
}

Pattern pattern_of(RunShape const& run) {
    auto const ranks = count(volume(ranks_along({run.cells, 1.0}, volume(run.ranks), run.ranks)));
    check_planes(run.method, run.cells, ranks);
    Pattern pattern;
    pattern.name = "cloud";
    pattern.ranks = ranks;
    pattern.files = files_of(run);
    // Of blocks in three dimensions nobody knows how others would be cut.
    pattern.scales = run.method == Method::independent ? Scaling::none : Scaling::strong;
    if (run.restarted) {
        DumpFile const restart{.name = std::string(restart_name), .purpose = Purpose::restart};
        pattern.phases.push_back(phase("restart", steps_on(run, restart, {}, OpenMode::read)));
    }
    if (auto const dumps = dumps_of(run); dumps > 0) {
        pattern.phases.push_back(phase("dumps", {Repeat{count(dumps), steps_of_dump(run)}}));
    }
    validate_pattern(pattern);
    return pattern;
}

}  // namespace weir::cloud
