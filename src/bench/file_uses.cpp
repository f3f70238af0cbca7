#include "bench/file_uses.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/json.hpp"
#include "pattern/loops.hpp"
#include "pattern/pattern_json.hpp"

namespace weir {
namespace {

/// The end of the access if it begins at 0 and has no gaps; else 0.
std::uint64_t dense_end(Access const& access, Loops const& loops) {
    if (access.verb != Verb::write || !loops.empty() || !access.lists.empty() || access.part ||
        access.extent.start != 0) {
        return 0;
    }
    if (!is_dense(access)) {
        return 0;
    }
    auto const end = end_of(access);
    auto const drawn = access.order.draws * access.ranks.count * access.extent.length;
    auto const all = access.order.kind == OrderKind::random_partition ? drawn == end : !draws(access.order.kind);
    return all ? end : 0;
}

/// The fields of an access that determine its offsets.
Access places_of(Access access) {
    access.verb = Verb::write;
    access.sync_each = false;
    access.list_io = access.part.has_value();
    access.pace = {};
    if (access.order.kind == OrderKind::shuffled) {
        access.order = {};
    }
    return access;
}

std::vector<Step> places_of(std::vector<Step> const& steps, Verb verb) {
    std::vector<Step> result;
    for (auto const& step : steps) {
        if (auto const* repeat = std::get_if<Repeat>(&step)) {
            result.emplace_back(Repeat{repeat->count, places_of(repeat->steps, verb)});
        } else if (auto const* access = std::get_if<Access>(&step); access != nullptr && access->verb == verb) {
            result.emplace_back(places_of(*access));
        }
    }
    return result;
}

std::uint64_t hash_of(std::string const& text) {
    constexpr std::uint64_t basis = 0xcbf29ce484222325U;  // of the Fowler-Noll-Vo hash
    constexpr std::uint64_t prime = 0x100000001b3U;
    auto hash = basis;
    for (auto const c : text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * prime;
    }
    return hash;
}

std::string shape(Pattern const& pattern, Verb verb) {
    Pattern places{"places", pattern.ranks, pattern.files, {}, Scaling::none, pattern.partitions};
    for (auto const& phase : pattern.phases) {
        if (auto steps = places_of(phase.steps, verb); !steps.empty()) {
            places.phases.push_back({.name = "", .reorder = {}, .limited_by = "", .steps = std::move(steps)});
        }
    }
    return fmt::format("{:016x}", hash_of(json_text(to_json(places))));
}

void note_step(Step const& step, Loops const& loops, std::vector<FileUse>& uses) {
    auto const visit = [&](auto const& on_file, auto change) {
        for (auto const& [file, ignored] : files_reached(on_file.file, on_file.file_advance, {}, loops)) {
            change(uses.at(file));
        }
    };
    if (auto const* open = std::get_if<Open>(&step)) {
        visit(*open, [&](FileUse& use) {
            use.created |= open->mode == OpenMode::create;
            use.updated_before |= open->mode == OpenMode::update && !use.created;
        });
    } else if (auto const* rename = std::get_if<Rename>(&step)) {
        for (auto const& [file, ignored] : files_reached(rename->to, rename->to_advance, {}, loops)) {
            uses.at(file).created = true;
        }
    } else if (auto const* access = std::get_if<Access>(&step)) {
        visit(*access, [&](FileUse& use) {
            use.checked_before |= access->verb == Verb::check && !use.created;
            use.dense_bytes = std::max(use.dense_bytes, dense_end(*access, loops));
        });
    }
}

}  // namespace

std::vector<FileUse> file_uses(Pattern const& pattern) {
    std::vector<FileUse> uses(pattern.files.size());
    for (auto const& phase : pattern.phases) {
        each_step(phase.steps, [&](Step const& step, Loops const& loops) { note_step(step, loops, uses); });
    }
    return uses;
}

bool shares_files(Pattern const& pattern) {
    return !std::ranges::all_of(pattern.files, &File::per_rank) ||
           std::ranges::any_of(pattern.phases,
                               [](Phase const& phase) { return phase.reorder.kind != ReorderKind::none; });
}

std::string written_shape(Pattern const& pattern) { return shape(pattern, Verb::write); }

std::string checked_shape(Pattern const& pattern) { return shape(pattern, Verb::check); }

}  // namespace weir
