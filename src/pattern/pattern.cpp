#include "pattern/pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "core/error.hpp"
#include "pattern/loops.hpp"

namespace weir {
namespace {

/// Sums accesses, whose volume `volume_of` gives, and other steps, whose number of ranks `ranks_of` gives; each as
/// often as its repeats run.
template <class VolumeOf, class RanksOf>
Totals sum_of_steps(Pattern const& pattern, VolumeOf volume_of, RanksOf ranks_of) {
    Totals sum;
    auto const add_access = [&](Phase const& phase, Access const& access, std::uint64_t turns) {
        auto const one = volume_of(phase, access);
        sum.bytes_written += turns * (one.bytes - one.read_bytes);
        sum.bytes_read += turns * one.read_bytes;
        sum.operations += turns * one.requests;
        sum.syncs += access.sync_each ? turns * one.requests : 0;
    };
    for (auto const& phase : pattern.phases) {
        each_step(phase.steps, [&](Step const& step, Loops const& loops) {
            auto const turns = times(loops);
            if (auto const* access = std::get_if<Access>(&step)) {
                add_access(phase, *access, turns);
            } else if (auto const* open = std::get_if<Open>(&step)) {
                sum.opens += turns * ranks_of(phase, open->ranks);
            } else if (auto const* sync = std::get_if<Sync>(&step)) {
                sum.syncs += turns * ranks_of(phase, sync->ranks);
            } else if (auto const* close = std::get_if<Close>(&step)) {
                sum.closes += turns * ranks_of(phase, close->ranks);
            }
        });
    }
    return sum;
}

/// Copies the array and partition of a step on this file into it, if there are such.
template <class OfArray>
void resolve_part(Pattern const& pattern, std::uint64_t file, OfArray& part) {
    if (file < pattern.files.size() && part.partition < pattern.partitions.size() &&
        part.array < pattern.files[file].arrays.size()) {
        part.what = pattern.files[file].arrays[part.array];
        part.by = pattern.partitions[part.partition];
    }
}

void resolve(Pattern const& pattern, std::vector<Step>& steps) {
    for (auto& step : steps) {
        if (auto* repeat = std::get_if<Repeat>(&step)) {
            resolve(pattern, repeat->steps);
        } else if (auto* move = std::get_if<Move>(&step)) {
            auto const partition = [&](std::optional<std::uint64_t> index) {
                return index && *index < pattern.partitions.size() ? std::optional(pattern.partitions[*index])
                                                                   : std::nullopt;
            };
            if (move->file < pattern.files.size() && move->array < pattern.files[move->file].arrays.size()) {
                move->what = pattern.files[move->file].arrays[move->array];
            }
            move->by_from = partition(move->from);
            move->by_to = partition(move->to);
        } else if (auto* access = std::get_if<Access>(&step); access != nullptr && access->part) {
            resolve_part(pattern, access->file, *access->part);
            access->part->ranks = access->part->ranks_per_group > 0 ? pattern.ranks : 0;
        } else if (auto* messages = std::get_if<InGroups>(&step)) {
            resolve_part(pattern, messages->file, *messages);
        }
    }
}

/// For each file, the distinct rank sets that open it.
std::vector<std::vector<Ranks>> openers(Pattern const& pattern) {
    std::vector<std::vector<Ranks>> by_file(pattern.files.size());
    for (auto const& phase : pattern.phases) {
        each_step(phase.steps, [&](Step const& step, Loops const& loops) {
            auto const* open = std::get_if<Open>(&step);
            if (open == nullptr) {
                return;
            }
            auto const ranks = canonical(open->ranks, pattern.ranks);
            for (auto const& [file, ignored] : files_reached(open->file, open->file_advance, {}, loops)) {
                auto& sets = by_file.at(file);
                if (std::find(sets.begin(), sets.end(), ranks) == sets.end()) {
                    sets.push_back(ranks);
                }
            }
        });
    }
    return by_file;
}

/// The number of copies of a file per rank. Sets that overlap without being equal are counted in full.
std::uint64_t copies(std::vector<Ranks> const& sets, std::uint64_t all) {
    std::uint64_t sum = 0;
    for (auto const& ranks : sets) {
        sum += size_of(ranks, all);
    }
    return sets.empty() ? all : std::min(sum, all);
}

/// The files that are renamed over another, or removed: they do not exist at the end.
std::vector<bool> files_that_go(Pattern const& pattern) {
    std::vector<bool> go(pattern.files.size(), false);
    auto const note = [&](auto const& step, Loops const& loops) {
        for (auto const& [file, ignored] : files_reached(step.file, step.file_advance, {}, loops)) {
            go.at(file) = true;
        }
    };
    for (auto const& phase : pattern.phases) {
        each_step(phase.steps, [&](Step const& step, Loops const& loops) {
            if (auto const* rename = std::get_if<Rename>(&step)) {
                note(*rename, loops);
            } else if (auto const* remove = std::get_if<Remove>(&step)) {
                note(*remove, loops);
            }
        });
    }
    return go;
}

template <class CopiesOf>
void add_files(Totals& sum, Pattern const& pattern, CopiesOf copies_of) {
    auto const sizes = file_sizes(pattern);
    auto const sets = openers(pattern);
    auto const go = files_that_go(pattern);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        auto const count = go[i] ? 0 : pattern.files[i].per_rank ? copies_of(sets[i]) : 1;
        sum.files += count;
        sum.bytes_on_disk += count * sizes[i];
    }
}

}  // namespace

Access access_to(Pattern const& pattern, Verb verb, std::uint64_t file, std::uint64_t array, std::uint64_t partition,
                 RankSet ranks) {
    Access access;
    access.verb = verb;
    access.file = file;
    access.ranks = ranks;
    access.list_io = true;
    access.part = {array, partition, pattern.files.at(file).arrays.at(array), pattern.partitions.at(partition)};
    return access;
}

void resolve(Pattern& pattern) {
    for (auto& phase : pattern.phases) {
        resolve(pattern, phase.steps);
    }
}

std::string file_name(File const& file, Rank rank) {
    return file.per_rank ? fmt::format("{}.{:08}", file.name, rank.value) : file.name;
}

std::vector<std::uint64_t> file_sizes(Pattern const& pattern) {
    std::vector<std::uint64_t> sizes(pattern.files.size(), 0);
    auto const grow = [&](auto const& step, std::vector<std::int64_t> const& advance, std::uint64_t end,
                          Loops const& loops) {
        for (auto const& [file, farthest] : files_reached(step.file, step.file_advance, advance, loops)) {
            sizes.at(file) = std::max(sizes.at(file), end + static_cast<std::uint64_t>(farthest));
        }
    };
    // A file is at least as large as one renamed to it; the order of several renames does not matter then.
    auto const take_place = [&](Rename const& rename, Loops const& loops) {
        std::uint64_t largest = 0;
        for (auto const& [file, ignored] : files_reached(rename.file, rename.file_advance, {}, loops)) {
            largest = std::max(largest, sizes.at(file));
        }
        for (auto const& [file, ignored] : files_reached(rename.to, rename.to_advance, {}, loops)) {
            sizes.at(file) = std::max(sizes.at(file), largest);
        }
    };
    for (auto const& phase : pattern.phases) {
        each_step(phase.steps, [&](Step const& step, Loops const& loops) {
            if (auto const* access = std::get_if<Access>(&step)) {
                grow(*access, access->advance, end_of(*access), loops);
            } else if (auto const* reserved = std::get_if<Preallocate>(&step)) {
                grow(*reserved, {}, reserved->bytes, loops);
            } else if (auto const* rename = std::get_if<Rename>(&step)) {
                take_place(*rename, loops);
            }
        });
    }
    return sizes;
}

Totals totals(Pattern const& pattern) {
    auto sum = sum_of_steps(
        pattern, [](Phase const&, Access const& access) { return volume(access); },
        [&](Phase const&, Ranks const& ranks) { return size_of(ranks, pattern.ranks); });
    add_files(sum, pattern, [&](std::vector<Ranks> const& sets) { return copies(sets, pattern.ranks); });
    return sum;
}

Totals totals(Pattern const& pattern, Rank rank) {
    auto const acting = [&](Phase const& phase) { return acting_rank(phase.reorder, rank, pattern.ranks); };
    auto sum = sum_of_steps(
        pattern, [&](Phase const& phase, Access const& access) { return volume(access, acting(phase)); },
        [&](Phase const& phase, Ranks const& ranks) -> std::uint64_t {
            return contains(ranks, acting(phase)) ? 1 : 0;
        });
    add_files(sum, pattern, [&](std::vector<Ranks> const& sets) -> std::uint64_t {
        auto const opens = [&](Ranks const& ranks) { return contains(ranks, rank); };
        return sets.empty() || std::any_of(sets.begin(), sets.end(), opens) ? 1 : 0;
    });
    return sum;
}

std::optional<Seconds> time_bound(Pattern const& pattern) {
    std::map<std::string, double> limits;
    Seconds sum{};
    for (auto const& phase : pattern.phases) {
        auto const own = phase.time_limit.value > 0 && (!phase.wear_out || phase.tail_limit.value > 0);
        auto const earlier = limits.find(phase.limited_by);
        if (!own && earlier == limits.end()) {
            return {};
        }
        auto const limit = own ? phase.time_limit.value + phase.tail_limit.value : earlier->second;
        limits[phase.name] = limit;
        sum.value += limit;
    }
    return sum;
}

bool checks_words(Pattern const& pattern) {
    bool checks = false;
    for (auto const& phase : pattern.phases) {
        each_access(phase.steps,
                    [&](Access const& access, Loops const&) { checks = checks || access.verb == Verb::check; });
    }
    return checks;
}

namespace {

/// The most bytes that a rank sends or receives in all messages of a move.
std::uint64_t bytes_of_rank(Move const& move, std::uint64_t ranks) {
    auto const of = [&](std::optional<Partition> const& by) {
        return by ? part_of(move.what, *by, 0, ranks).bytes() : bytes_of(move.what);
    };
    return std::max(of(move.by_from), of(move.by_to));
}

std::uint64_t largest_message(InGroups const& messages, std::uint64_t ranks) {
    Access access;
    access.ranks = {0, ranks, 1};
    access.part = {messages.array, messages.partition, messages.what, messages.by};
    return largest_request(access);
}

}  // namespace

std::uint64_t largest_request(Pattern const& pattern) {
    std::uint64_t largest = 0;
    for (auto const& phase : pattern.phases) {
        each_step(phase.steps, [&](Step const& step, Loops const&) {
            if (auto const* access = std::get_if<Access>(&step)) {
                largest = std::max(largest, largest_request(*access));
            } else if (auto const* broadcast = std::get_if<Broadcast>(&step)) {
                largest = std::max(largest, broadcast->bytes);
            } else if (auto const* send = std::get_if<Send>(&step)) {
                largest = std::max(largest, send->bytes);
            } else if (auto const* messages = std::get_if<InGroups>(&step)) {
                largest = std::max(largest, largest_message(*messages, pattern.ranks));
            } else if (auto const* move = std::get_if<Move>(&step)) {
                largest = std::max(largest, bytes_of_rank(*move, pattern.ranks));
            }
        });
    }
    return largest;
}

}  // namespace weir
