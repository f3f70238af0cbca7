#include "pattern/prepare_replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "pattern/loops.hpp"

namespace weir {
namespace {

std::vector<Step> without_gaps(std::vector<Step> const& steps) {
    std::vector<Step> kept;
    for (auto const& step : steps) {
        if (std::holds_alternative<Compute>(step)) {
            continue;
        }
        auto const* repeat = std::get_if<Repeat>(&step);
        if (repeat == nullptr) {
            kept.push_back(step);
        } else if (auto inner = without_gaps(repeat->steps); !inner.empty()) {
            kept.emplace_back(Repeat{repeat->count, std::move(inner)});
        }
    }
    return kept;
}

/// The files that are opened before they are created.
std::set<std::uint64_t> files_to_make(Pattern const& pattern) {
    std::set<std::uint64_t> seen;
    std::set<std::uint64_t> found;
    for (auto const& phase : pattern.phases) {
        each_step(phase.steps, [&](Step const& step, Loops const& loops) {
            auto const* open = std::get_if<Open>(&step);
            if (open == nullptr) {
                return;
            }
            for (auto const& [file, ignored] : files_reached(open->file, open->file_advance, {}, loops)) {
                if (seen.insert(file).second && open->mode != OpenMode::create) {
                    found.insert(file);
                }
            }
        });
    }
    return found;
}

/// Adds the write of `count` consecutive pieces of a shared file from `start`, round-robin over the ranks.
void add_pieces(std::vector<Step>& steps, std::uint64_t file, std::uint64_t ranks, std::uint64_t start,
                std::uint64_t length, std::uint64_t count) {
    if (count == 0) {
        return;
    }
    auto const taking = std::min(ranks, count);
    Access access;
    access.file = file;
    access.ranks = {0, taking, 1};
    access.rank_levels = {{taking, static_cast<std::int64_t>(length)}};
    access.extent = {start, merged({{count / taking, static_cast<std::int64_t>(taking * length)}}), length};
    steps.emplace_back(access);
    add_pieces(steps, file, ranks, start + count / taking * taking * length, length, count % taking);
}

/// Adds the write of a complete file: a shared one by all ranks, a file per rank by each.
void add_whole_file(std::vector<Step>& steps, Pattern const& pattern, std::uint64_t file, std::uint64_t bytes) {
    constexpr std::uint64_t usual = 1 << 20;
    auto const& what = pattern.files[file];
    auto const length = what.dataset_bytes > 0 ? std::gcd(usual, what.dataset_bytes) : usual;
    auto const count = bytes / length;
    auto const rest = bytes % length;
    if (!what.per_rank) {
        add_pieces(steps, file, pattern.ranks, 0, length, count);
        add_pieces(steps, file, pattern.ranks, count * length, rest, rest > 0 ? 1 : 0);
        return;
    }
    Access access;
    access.file = file;
    access.ranks = {0, pattern.ranks, 1};
    if (count > 0) {
        access.extent = {0, merged({{count, static_cast<std::int64_t>(length)}}), length};
        steps.emplace_back(access);
    }
    if (rest > 0) {
        access.extent = {count * length, {}, rest};
        steps.emplace_back(access);
    }
}

/// The files of which only arrays are accessed.
std::set<std::uint64_t> files_of_arrays(Pattern const& pattern) {
    std::set<std::uint64_t> of_arrays;
    std::set<std::uint64_t> of_bytes;
    for (auto const& phase : pattern.phases) {
        each_access(phase.steps, [&](Access const& access, Loops const& loops) {
            for (auto const& [file, ignored] : files_reached(access.file, access.file_advance, {}, loops)) {
                (access.part ? of_arrays : of_bytes).insert(file);
            }
        });
    }
    std::erase_if(of_arrays, [&](std::uint64_t file) { return of_bytes.contains(file); });
    return of_arrays;
}

/// Adds the write of all arrays of a file, on a partition as square as possible; scalars and attributes by rank 0.
void add_arrays(std::vector<Step>& steps, Pattern& pattern, std::uint64_t file) {
    Partition const square;
    auto known = std::ranges::find(pattern.partitions, square);
    if (known == pattern.partitions.end()) {
        known = pattern.partitions.insert(known, square);
    }
    auto const partition = static_cast<std::uint64_t>(known - pattern.partitions.begin());
    for (std::uint64_t array = 0; array < pattern.files[file].arrays.size(); ++array) {
        auto const& what = pattern.files[file].arrays[array];
        auto const ranks = what.shape.empty() || what.attribute_of ? 1 : pattern.ranks;
        steps.emplace_back(access_to(pattern, Verb::write, file, array, partition, {0, ranks, 1}));
    }
}

}  // namespace

Pattern without_gaps(Pattern pattern) {
    for (auto& phase : pattern.phases) {
        phase.steps = without_gaps(phase.steps);
    }
    return pattern;
}

Pattern with_files_made(Pattern pattern) {
    auto const files = files_to_make(pattern);
    auto const sizes = file_sizes(pattern);
    Phase phase;
    auto const is_taken = [&] {
        return std::any_of(pattern.phases.begin(), pattern.phases.end(),
                           [&](Phase const& other) { return other.name == phase.name; });
    };
    phase.name = "prepare";
    for (int number = 2; is_taken(); ++number) {
        phase.name = fmt::format("prepare-{}", number);
    }
    auto const of_arrays = files_of_arrays(pattern);
    for (auto const file : files) {
        phase.steps.emplace_back(Open{file, OpenMode::create});
        if (of_arrays.contains(file)) {
            add_arrays(phase.steps, pattern, file);
        } else {
            add_whole_file(phase.steps, pattern, file, sizes[file]);
        }
        phase.steps.emplace_back(Sync{file});
        phase.steps.emplace_back(Close{file});
    }
    if (!files.empty()) {
        pattern.phases.insert(pattern.phases.begin(), std::move(phase));
    }
    return pattern;
}

}  // namespace weir
