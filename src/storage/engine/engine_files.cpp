// The engine's work on files and caches before and after a phase, outside its timing.

#include <set>

#include "comm/collective_error.hpp"
#include "core/enum_names.hpp"
#include "core/own_file.hpp"
#include "core/proc.hpp"
#include "storage/engine/engine_state.hpp"

namespace weir {

std::size_t Engine::place_of(std::uint64_t file, Rank rank) const {
    return (file + (files_[file].per_rank ? rank.value : 0)) % (1 + settings_.more_directories.size());
}

std::string Engine::name_of(std::uint64_t file, Rank rank) const {
    return settings_.prefix + file_name(files_[file], rank);
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
    auto const own = files_[file].per_rank ? 1 + rank.value : 0;
    return stamped_as_[file] * (comm_.size() + 1) + own;
}

Stamp Engine::stamp_of(std::uint64_t file, Rank rank) const { return Stamp(settings_.seed, stamp_file_of(file, rank)); }

void Engine::remove_file(std::uint64_t file) {
    if (files_[file].per_rank) {
        backend_.remove(path_of(file, Rank{comm_.rank()}));
    } else if (comm_.is_root()) {
        backend_.remove(path_of(file, Rank{0}));
    }
}

/// In a directory that others write to, a symbolic link could lead to another user's file, and opening a pipe could
/// block.
void Engine::look_at_file(std::uint64_t file, Phase const& phase) const {
    if (files_[file].per_rank || comm_.is_root()) {
        refuse_what_is_no_file(path_of(file, acting_rank(phase.reorder, Rank{comm_.rank()}, comm_.size())));
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
    auto const acting = acting_rank(phase.reorder, mine, comm_.size());
    std::set<std::filesystem::path> paths;
    for (std::uint64_t file = 0; file < files_.size(); ++file) {
        if (files_[file].per_rank) {
            paths.insert(path_of(file, mine));
            paths.insert(path_of(file, acting));
        } else if (node_.is_root()) {
            paths.insert(path_of(file, mine));
        }
    }
    return {paths.begin(), paths.end()};
}

/// Names the reordering by its effect on this machine: whether every reader is on another node than the writer, or at
/// least another rank.
void Engine::note_reordering(Phase const& phase, Ran& ran) const {
    bool other_rank = true;
    bool other_node = true;
    for (std::uint64_t rank = 0; rank < comm_.size(); ++rank) {
        auto const acting = acting_rank(phase.reorder, Rank{rank}, comm_.size()).value;
        other_rank = other_rank && acting != rank;
        other_node = other_node && node_of_rank_[acting] != node_of_rank_[rank];
    }
    if (other_rank) {
        ran.cache_methods.emplace_back(
            to_text(other_node ? CacheAvoidance::reorder : CacheAvoidance::reorder_within_node));
    }
}

Engine::Ran& Engine::prepare(Phase const& phase) {
    make_groups(phase);
    auto& ran = ran_.try_emplace(phase.name, clock_, settings_.meter).first->second;
    run_together(comm_, [&] {
        prepare_files(phase, ran);
        prepare_spare_memory(phase);
    });
    ran.time_limit = phase.time_limit;
    if (ran.reads) {
        prepare_reading(phase, ran);
    }
    ran.started_at = ran.runs == 0 ? utc_time() : ran.started_at;
    return ran;
}

void Engine::prepare_files(Phase const& phase, Ran& ran) {
    each_step(phase.steps, [&](Step const& one, Loops const& loops) {
        if (auto const* access = std::get_if<Access>(&one)) {
            expect(largest_request(*access) <= buffer_->largest(), "no request is larger than was declared");
            ran.writes = ran.writes || access->verb == Verb::write || access->verb == Verb::mixed;
            ran.reads = ran.reads || access->verb != Verb::write;
        } else if (auto const* rename = std::get_if<Rename>(&one)) {
            for (auto const& [file, ignored] : files_reached(rename->to, rename->to_advance, {}, loops)) {
                make_place(file);
            }
        } else if (auto const* open = std::get_if<Open>(&one)) {
            ran.writes = ran.writes || open->mode != OpenMode::read;
            for (auto const& [file, ignored] : files_reached(open->file, open->file_advance, {}, loops)) {
                if (open->mode == OpenMode::create) {
                    make_place(file);
                    remove_file(file);
                } else {
                    look_at_file(file, phase);
                }
            }
        }
    });
}

/// From now on the file belongs to this run.
void Engine::make_place(std::uint64_t file) {
    auto const is_new = !created_[file];
    created_[file] = true;
    if (is_new && settings_.check_in_the_way && (files_[file].per_rank || comm_.is_root())) {
        settings_.check_in_the_way(own_path_of(file, Rank{comm_.rank()}));
    }
}

void Engine::prepare_reading(Phase const& phase, Ran& ran) {
    for (auto const& path : files_read_here(phase)) {
        if (settings_.drop_caches) {
            drop_from_page_cache(path);
        }
        auto const one = settings_.notes_residence ? residence(path) : Residence{};
        ran.resident.resident_bytes += one.resident_bytes;
        ran.resident.bytes += one.bytes;
    }
    ran.cache_methods.clear();
    note_reordering(phase, ran);
    if (settings_.drop_caches) {
        ran.cache_methods.emplace_back(to_text(CacheAvoidance::drop));
    }
    if (auto const way = backend_.avoids_caches()) {
        ran.cache_methods.emplace_back(to_text(*way));
    }
}

}  // namespace weir
