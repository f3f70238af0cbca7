#include "apps/cloud/dump/pattern_of_run.hpp"

#include <utility>

#include "apps/cloud/state.hpp"
#include "apps/common/decomposition.hpp"
#include "core/enum_names.hpp"

namespace weir::cloud {
namespace {

std::uint64_t count(Index n) { return static_cast<std::uint64_t>(n); }

/// All that is done with a file: rank 0 moves the header, and all ranks the arrays together.
std::vector<Step> steps_on(Pattern const& pattern, std::uint64_t file, OpenMode mode,
                           std::vector<std::int64_t> const& advance) {
    auto const verb = mode == OpenMode::read ? Verb::read : Verb::write;
    std::vector<Step> steps{Open{file, mode, {}, advance, true}};
    for (std::uint64_t array = 0; array < pattern.files.at(file).arrays.size(); ++array) {
        auto const of_header = array == 0;
        auto access = access_to(pattern, verb, file, array, of_header ? 0 : 1, {0, of_header ? 1 : pattern.ranks, 1});
        access.collective = !of_header;
        access.file_advance = advance;
        steps.emplace_back(std::move(access));
        if (of_header && verb == Verb::read) {
            steps.emplace_back(Broadcast{header_bytes, 0, {}});
        }
    }
    return steps;
}

void append(std::vector<Step>& steps, std::vector<Step> more) { std::ranges::move(more, std::back_inserter(steps)); }

DumpFile restart() { return {.name = std::string(restart_name), .purpose = Purpose::restart}; }

/// The restart, and behind it those that each dump makes anew.
std::vector<File> files_of(RunShape const& run) {
    auto part = restart();
    part.name = restart_aside();
    std::vector<File> files{file_with_arrays(restart(), run.cells), file_with_arrays(part, run.cells)};
    auto const before = dumps_until(run.first_step, run.dump_every);
    for (Index dump = 1; dump <= dumps_of(run); ++dump) {
        for (auto const& file : files_of_dump((before + dump) * run.dump_every)) {
            if (file.purpose != Purpose::restart) {
                files.push_back(file_with_arrays(file, run.cells));
            }
        }
    }
    return files;
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

std::string restart_aside() { return std::string(restart_name) + ".weir-part"; }

File file_with_arrays(DumpFile const& file, Triple const& cells) {
    File result{.name = file.name};
    result.arrays.push_back({"header", {Element::Kind::real, sizeof(float)}, {header_bytes / sizeof(float)}, 0});
    auto const picture = file.purpose == Purpose::visualisation;
    Element const element{picture ? Element::Kind::natural : Element::Kind::real, file.element_bytes};
    for (std::uint64_t i = 0; i < file.arrays; ++i) {
        auto const name = picture ? to_text(file.picture) : to_text(static_cast<Variable>(i));
        result.arrays.push_back({std::string(name),
                                 element,
                                 {count(cells[2]), count(cells[1]), count(cells[0])},
                                 header_bytes + i * file.array_bytes(cells)});
    }
    return result;
}

std::vector<Partition> partitions_of(Triple const& ranks) {
    return {Partition{}, Partition{.grid = {count(ranks[2]), count(ranks[1]), count(ranks[0])}}};
}

std::vector<Step> steps_of_restart(Pattern const& pattern) {
    auto steps = steps_on(pattern, restart_file, OpenMode::read, {});
    steps.emplace_back(Close{restart_file});
    return steps;
}

std::vector<Step> steps_of_restart_dump(Pattern const& pattern) {
    auto steps = steps_on(pattern, restart_part, OpenMode::create, {});
    append(steps, {Sync{restart_part}, Close{restart_part}, Rename{restart_part, restart_file, {}, {}}});
    return steps;
}

std::vector<Step> steps_of_dump(Pattern const& pattern, std::vector<std::int64_t> const& advance) {
    std::vector<Step> steps;
    auto next = first_new_file;
    for (auto const& file : files_of_dump(0)) {
        if (file.purpose == Purpose::restart) {
            append(steps, steps_of_restart_dump(pattern));
        } else {
            append(steps, steps_on(pattern, next, OpenMode::create, advance));
            steps.emplace_back(Close{next++, {}, advance});
        }
    }
    return steps;
}

std::vector<Step> each_alone(std::vector<Step> steps) {
    for (auto& step : steps) {
        if (auto* access = std::get_if<Access>(&step)) {
            access->collective = false;
        } else if (auto* open = std::get_if<Open>(&step)) {
            open->collective = false;
        }
    }
    return steps;
}

Pattern asked_pattern(RunShape const& run) {
    auto const ranks = ranks_along({run.cells, 1.0}, volume(run.ranks), run.ranks);
    if (run.plain) {
        check_planes(run.method, run.cells, count(volume(ranks)));
    }
    auto const as_asked = [&](std::vector<Step> steps) {
        return run.collective ? std::move(steps) : each_alone(std::move(steps));
    };
    Pattern pattern;
    pattern.name = "cloud";
    pattern.ranks = count(volume(ranks));
    pattern.files = files_of(run);
    pattern.partitions = partitions_of(ranks);
    pattern.scales = Scaling::strong;
    if (run.restarted) {
        pattern.phases.push_back(phase("restart", as_asked(steps_of_restart(pattern))));
    }
    if (auto const dumps = dumps_of(run); dumps > 0) {
        auto const new_files = static_cast<std::int64_t>(files_of_dump(0).size()) - 1;
        pattern.phases.push_back(phase("dumps", {Repeat{count(dumps), as_asked(steps_of_dump(pattern, {new_files}))}}));
    }
    validate_pattern(pattern);
    return pattern;
}

Pattern pattern_of(RunShape const& run) {
    auto const asked = asked_pattern(run);
    return run.plain ? lowered(asked, lowering_for(run.method, run.cells, asked.ranks)) : asked;
}

}  // namespace weir::cloud
