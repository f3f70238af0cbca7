// What the engine does with files and caches before and after a phase, outside its timing.

#include <set>

#include "comm/agreement.hpp"
#include "core/enum_names.hpp"
#include "core/own_file.hpp"
#include "core/proc.hpp"
#include "storage/engine.hpp"

namespace weir {

std::size_t Engine::place_of(std::uint64_t file, Rank rank) const {
    return (file + (pattern_.files[file].per_rank ? rank.value : 0)) % (1 + settings_.more_directories.size());
}

std::string Engine::name_of(std::uint64_t file, Rank rank) const {
    return "weir-" + file_name(pattern_.files[file], rank);
}

std::filesystem::path Engine::kept_path_of(std::uint64_t file, Rank rank) const {
    auto const place = place_of(file, rank);
    return (place == 0 ? settings_.directory : settings_.more_directories[place - 1]) / name_of(file, rank);
}

std::filesystem::path Engine::own_path_of(std::uint64_t file, Rank rank) const {
    return settings_.own_directories.empty() ? kept_path_of(file, rank)
                                             : settings_.own_directories.at(place_of(file, rank)) / name_of(file, rank);
}

std::filesystem::path Engine::path_of(std::uint64_t file, Rank rank) const {
    return created_[file] ? own_path_of(file, rank) : kept_path_of(file, rank);
}

std::filesystem::path Engine::path_to_tell(std::uint64_t file, Rank rank) const {
    return settings_.keep ? kept_path_of(file, rank) : path_of(file, rank);
}

std::uint64_t Engine::stamp_file_of(std::uint64_t file, Rank rank) const {
    auto const own = pattern_.files[file].per_rank ? 1 + rank.value : 0;
    return file * (pattern_.ranks + 1) + own;
}

Stamp Engine::stamp_of(std::uint64_t file, Rank rank) const { return Stamp(settings_.seed, stamp_file_of(file, rank)); }

void Engine::remove_file(std::uint64_t file) {
    if (pattern_.files[file].per_rank) {
        backend_.remove(path_of(file, Rank{comm_.rank()}));
    } else if (comm_.is_root()) {
        backend_.remove(path_of(file, Rank{0}));
    }
}

/// In a directory that others write to, a link might lead to a file of somebody else, and a pipe be waited for.
void Engine::look_at_file(std::uint64_t file, Phase const& phase) const {
    if (pattern_.files[file].per_rank || comm_.is_root()) {
        refuse_what_is_no_file(path_of(file, acting_rank(phase.reorder, Rank{comm_.rank()}, pattern_.ranks)));
    }
}

void Engine::remove_files() {
    run_together(comm_, [&] {
        for (std::uint64_t file = 0; file < created_.size(); ++file) {
            if (created_[file]) {
                remove_file(file);
                created_[file] = false;
            }
        }
    });
}

std::vector<std::filesystem::path> Engine::files_read_here(Phase const& phase) const {
    auto const mine = Rank{comm_.rank()};
    auto const acting = acting_rank(phase.reorder, mine, pattern_.ranks);
    std::set<std::filesystem::path> paths;
    for (std::uint64_t file = 0; file < pattern_.files.size(); ++file) {
        if (pattern_.files[file].per_rank) {
            paths.insert(path_of(file, mine));
            paths.insert(path_of(file, acting));
        } else if (node_.is_root()) {
            paths.insert(path_of(file, mine));
        }
    }
    return {paths.begin(), paths.end()};
}

/// Names the reordering by what it really does here: whether every reader is on another node than its writer, or at
/// least another rank.
void Engine::note_reordering(Phase const& phase, PhaseResult& result) const {
    bool other_rank = true;
    bool other_node = true;
    for (std::uint64_t rank = 0; rank < pattern_.ranks; ++rank) {
        auto const acting = acting_rank(phase.reorder, Rank{rank}, pattern_.ranks).value;
        other_rank = other_rank && acting != rank;
        other_node = other_node && node_of_rank_[acting] != node_of_rank_[rank];
    }
    if (other_rank) {
        result.cache_methods.emplace_back(other_node ? "reorder" : "reorder-within-node");
    }
}

void Engine::prepare(Phase const& phase, PhaseResult& result) {
    make_teams(phase);
    run_together(comm_, [&] {
        each_step(phase.steps, [&](Step const& one, Loops const& loops) {
            auto const* open = std::get_if<Open>(&one);
            auto const* access = std::get_if<Access>(&one);
            result.writes = result.writes || (open != nullptr && open->mode != OpenMode::read);
            result.reads = result.reads || (access != nullptr && access->verb != Verb::write);
            if (open != nullptr && open->mode == OpenMode::create) {
                for (auto const& [file, ignored] : files_reached(open->file, open->file_advance, {}, loops)) {
                    created_[file] = true;
                    remove_file(file);
                }
            } else if (open != nullptr) {
                for (auto const& [file, ignored] : files_reached(open->file, open->file_advance, {}, loops)) {
                    look_at_file(file, phase);
                }
            }
        });
    });
    result.started_at = utc_time();
    if (!result.reads) {
        return;
    }
    auto const paths = files_read_here(phase);
    Residence here;
    for (auto const& path : paths) {
        if (settings_.drop_caches) {
            drop_from_page_cache(path);
        }
        auto const one = residence(path);
        here.resident_bytes += one.resident_bytes;
        here.bytes += one.bytes;
    }
    auto const resident = comm_.sum(here.resident_bytes);
    auto const bytes = comm_.sum(here.bytes);
    if (bytes > 0) {
        result.evidence.resident_share = static_cast<double>(resident) / static_cast<double>(bytes);
    }
    note_reordering(phase, result);
    auto& methods = result.cache_methods;
    if (settings_.drop_caches) {
        methods.emplace_back("drop");
    }
    if (auto const way = backend_.avoids_caches(); !way.empty()) {
        methods.push_back(way);
    }
}

}  // namespace weir
