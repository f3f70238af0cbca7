// The benchmark `storage`: carries out a pattern through a back-end and reports each phase.
//
// Work model: bytes = blocks x segments x ranks x files, in requests of one transfer; bandwidth = bytes / (last rank's
// end - first rank's start), including open, sync and close. Shan and Shalf 2007, section 4.

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "bench/benchmark.hpp"
#include "bench/enough_memory.hpp"
#include "bench/enough_room.hpp"
#include "bench/file_uses.hpp"
#include "bench/measure.hpp"
#include "bench/needed_room.hpp"
#include "bench/sample_line.hpp"
#include "bench/scratch_directory.hpp"
#include "bench/storage/kept_files.hpp"
#include "bench/storage/storage_options.hpp"
#include "comm/collective_error.hpp"
#include "comm/other_nodes.hpp"
#include "core/json.hpp"
#include "pattern/byte_map.hpp"
#include "pattern/loops.hpp"
#include "pattern/pattern_json.hpp"
#include "pattern/unwaited.hpp"
#include "storage/engine/engine.hpp"
#include "storage/engine/wrong_words.hpp"

namespace weir {
namespace {

/// Of each rank.
std::uint64_t memory_bytes(Pattern const& pattern, Backend const& backend) {
    auto const buffer = largest_request(pattern);
    auto const contents = checks_words(pattern) ? batch_bytes : 0;
    return buffer + most_unwaited(pattern) + backend.memory_bytes(buffer) + contents;
}

Json totals_of(Pattern const& pattern, Backend const& backend) {
    auto const bound = time_bound(pattern);
    auto sums = to_json(totals(pattern));
    sums["memory_bytes_per_rank"] = memory_bytes(pattern, backend);
    sums["time_bound_s"] = bound ? Json(bound->value) : Json();
    return sums;
}

Json to_json(Geometry const& geometry) {
    auto pieces = Json::array();
    for (auto const& run : geometry.runs) {
        pieces.push_back({{"file", run.file}, {"offset", run.offset}, {"length", run.length}, {"rank", run.rank}});
    }
    return {{"phase", geometry.phase}, {"complete", geometry.complete}, {"pieces", std::move(pieces)}};
}

/// When a phase of the pattern syncs.
SyncWhen sync_of(Phase const& phase) {
    auto when = SyncWhen::never;
    each_step(phase.steps, [&](Step const& step, Loops const&) {
        auto const* access = std::get_if<Access>(&step);
        if (access != nullptr && access->sync_each) {
            when = SyncWhen::write;
        } else if (std::holds_alternative<Sync>(step) && when == SyncWhen::never) {
            when = SyncWhen::close;
        }
    });
    return when;
}

/// Does the phase have asynchronous accesses?
bool begins_accesses(Phase const& phase) {
    auto begins = false;
    each_step(phase.steps, [&](Step const& step, Loops const&) {
        auto const* access = std::get_if<Access>(&step);
        begins = begins || (access != nullptr && access->asynchronous);
    });
    return begins;
}

class StorageJob final : public Job {
  public:
    static constexpr BenchmarkFacts facts{
        .name = "storage",
        .summary = "bandwidth of files: any interface, layout, size and concurrency, honest about caches"};

    void declare(OptionSet& options) override { options_.declare(options); }

    [[nodiscard]] Json describe(std::uint64_t ranks) override {
        constexpr std::size_t most_runs = 512;
        auto const pattern = pattern_for(options_.tasks_of(ranks));
        auto sums = totals_of(pattern, options_.backend.object());
        sums["cached_bytes"] = fill_of(pattern).bytes;
        return {{"totals", std::move(sums)},
                {"geometry", to_json(places_are_open(pattern) ? Geometry{pattern.phases.front().name, false, {}}
                                                              : geometry(pattern, most_runs))},
                {"pattern", weir::to_json(pattern)}};
    }

    [[nodiscard]] CacheFill cache_fill(std::uint64_t ranks) override {
        auto const pattern = pattern_for(options_.tasks_of(ranks));
        // Before memory is touched for its files. Which ranks share a node is not known yet.
        refuse_what_finds_no_room(pattern, 1, options_.keep_files ? RoomOf::whole : RoomOf::free);
        refuse_what_does_not_fit({}, pattern);
        return fill_of(pattern);
    }

    [[nodiscard]] std::optional<Json> document(std::optional<std::uint64_t> ranks) override {
        auto const pattern_ranks = ranks.value_or(options_.pattern_ranks);
        return options_.emit_pattern ? std::optional(weir::to_json(pattern_for(options_.tasks_of(pattern_ranks))))
                                     : std::nullopt;
    }

    void run(JobContext& context) override {
        refuse_pattern_in_case_file(options_.emit_pattern);
        auto const tasks = options_.tasks_of(context.comm.size());
        auto const takes_part = context.comm.rank() < tasks;
        auto const group = context.comm.split(takes_part ? 0 : 1);
        std::optional<Diagnosis> failure;
        keep_failure(failure, [&] {
            if (takes_part) {
                run_tasks(context, group);
            }
        });
        if (tasks < context.comm.size()) {
            // Ranks without a task get here at once and must not disturb the others while they wait.
            context.comm.quiet_barrier();
        }
        agree(context.comm, failure);
    }

  private:
    [[nodiscard]] CacheFill fill_of(Pattern pattern) const {
        auto const caches = options_.backend.kind().features().stores && !options_.backend.object().avoids_caches();
        return caches ? weir::cache_fill(std::move(pattern)) : CacheFill{};
    }

    /// `replaced`: bytes of files that are removed before.
    void refuse_what_finds_no_room(Pattern const& pattern, std::uint64_t ranks_here, RoomOf what,
                                   std::uint64_t replaced = 0) const {
        if (options_.check_space && options_.backend.kind().features().stores) {
            auto const needed = least_room(pattern, ranks_here);
            refuse_more_room(directories(), needed - std::min(needed, replaced), what);
        }
    }

    /// Collective.
    void refuse_what_does_not_fit(Communicator const& group, Pattern const& pattern) const {
        auto const request = largest_request(pattern);
        auto const needed = memory_bytes(pattern, options_.backend.object());
        refuse_more_memory(group, needed, [&](std::uint64_t bytes) {
            auto const share = static_cast<double>(bytes) / static_cast<double>(needed);
            auto const fits = share * static_cast<double>(request);
            return fmt::format("a transfer of {} MiB", static_cast<std::uint64_t>(fits) >> 20U);
        });
    }

    [[nodiscard]] std::vector<std::filesystem::path> directories() const {
        std::vector<std::filesystem::path> all{options_.directory};
        all.insert(all.end(), options_.more_directories.begin(), options_.more_directories.end());
        return all;
    }

    [[nodiscard]] Pattern checked(Pattern pattern) const {
        options_.backend.object().check_files(pattern);
        validate(options_.detail != Detail::requests || !places_are_open(pattern),
                 "detail = requests contradicts pointer = shared",
                 "the offsets of independent requests are not known, since the pointer decides them",
                 "Choose detail = ranks, or another pointer.");
        return pattern;
    }

    /// Does a shared file pointer decide, at run time, where some requests are?
    [[nodiscard]] bool places_are_open(Pattern const& pattern) const {
        auto open = false;
        for (auto const& phase : pattern.phases) {
            each_access(phase.steps, [&](Access const& access, Loops const&) {
                open = open || (!phase.is_collective(access) && !pattern.files[access.file].per_rank);
            });
        }
        return open && pattern.ranks > 1 && options_.backend.object().decides_places();
    }

    /// For one process, without other ranks.
    [[nodiscard]] Pattern pattern_for(std::uint64_t tasks) const {
        options_.validate_choices();
        return checked(options_.make_pattern(tasks, 1, options_.read_pattern_file()));
    }

    /// On all ranks of a group: the first rank reads the file and broadcasts it.
    [[nodiscard]] Pattern pattern_for(Communicator const& group) const {
        std::string text;
        run_together(group, [&] {
            options_.validate_choices();
            text = group.is_root() ? options_.read_pattern_file() : "";
        });
        text = group.broadcast(text);
        auto const shift = group.size() > 1 ? OtherNodes(node_of_each_rank(group)).next() : 1;
        Pattern pattern;
        run_together(group, [&] { pattern = checked(options_.make_pattern(group.size(), shift, text)); });
        return pattern;
    }

    [[nodiscard]] EngineSettings settings_for(Communicator const& group, Pattern const& pattern) const {
        EngineSettings settings{options_.directory, checks_words(pattern), options_.cache == CacheUse::drop,
                                options_.parameters.seed, options_.hints.read(group)};
        settings.meter = {options_.latencies, options_.detail == Detail::requests ? options_.most_records : 0};
        settings.more_directories = {options_.more_directories.begin(), options_.more_directories.end()};
        settings.keep = options_.keep_files;
        return settings;
    }

    void check_directories(Communicator const& group) const {
        auto const others = options_.foreign_folder ? ForeignFolder::permitted : ForeignFolder::refused;
        auto const check = [&](std::filesystem::path const& directory) {
            check_directory(directory, others, group);
            if (options_.keep_files) {
                check_whose(directory, others);
            }
        };
        for (auto const& directory : directories()) {
            check(directory);
        }
    }

    void run_tasks(JobContext& context, Communicator const& group) {
        auto const pattern = pattern_for(group);
        if (options_.backend.kind().features().stores) {
            run_together(group, [&] { check_directories(group); });
        }
        refuse_what_does_not_fit(group, pattern);
        std::vector<ScratchDirectory> own;
        std::optional<Diagnosis> failure;
        auto stays = false;
        keep_failure(failure, [&] {
            warnings_.clear();
            make_directories(group, pattern, own, warnings_);
            auto settings = settings_for(group, pattern);
            for (auto const& directory : own) {
                settings.own_directories.push_back(directory.path());
            }
            Engine engine(options_.backend.object(), group, std::move(settings), context.clock);
            engine.declare(pattern);
            carry_out(context, group, engine, pattern, stays);
        });
        for (auto& directory : own) {
            keep_failure(failure, [&] {
                if (!stays) {
                    directory.remove();
                }
            });
        }
        throw_kept(failure);
    }

    /// A directory used only by this run in each directory, so that neither an existing file nor another run is in the
    /// way.
    void make_directories(Communicator const& group, Pattern const& pattern, std::vector<ScratchDirectory>& own,
                          std::vector<Warning>& warnings) const {
        auto const uses = file_uses(pattern);
        if (!options_.backend.kind().features().stores || std::ranges::none_of(uses, &FileUse::created)) {
            return;
        }
        auto const when_stopped = options_.keep_files ? WhenStopped::left : WhenStopped::removed;
        auto const sharing = shares_files(pattern) ? Sharing::needed : Sharing::welcome;
        auto const make = [&](std::filesystem::path const& directory) {
            own.emplace_back(directory, "weir-storage", group, DirectoryUse::common, when_stopped, sharing);
            if (auto const& apart = own.back().apart()) {
                warnings.push_back(own_disks(directory, *apart));
            }
        };
        make(options_.directory);
        for (auto const& directory : options_.more_directories) {
            make(directory);
        }
    }

    /// Sets `stays` if files to keep could not be moved to their final place.
    void carry_out(JobContext& context, Communicator const& group, Engine& engine, Pattern const& pattern,
                   bool& stays) {
        auto const features = options_.backend.kind().features();
        auto const format = places_are_open(pattern) ? options_.backend.name() + " with pointer = shared"
                            : features.raw           ? "raw"
                                                     : options_.backend.name();
        KeptFiles files(engine, pattern, options_.parameters.seed, format, group);
        auto const keeps = options_.keep_files && features.stores;
        if (features.stores) {
            files.examine();
        }
        auto const node = group.node();
        auto const replaced = keeps ? files.bytes_to_replace() : 0;
        run_together(group, [&] {
            if (node.is_root()) {
                refuse_what_finds_no_room(pattern, node.size(), RoomOf::free, replaced);
            }
        });
        if (keeps) {
            files.make_room();
        }
        std::optional<Diagnosis> failure;
        auto whole = true;
        keep_failure(failure, [&] { whole = repeat(context, group, engine, pattern, files); });
        keep_failure(failure, [&] { files.renew_notes(!failure && whole); });
        keep_failure(failure, [&] {
            if (keeps) {
                stays = true;
                files.put_in_place(checks_words(pattern), !failure && whole);
                stays = false;
            } else {
                engine.remove_files();
            }
        });
        throw_kept(failure);
    }

    /// Runs all repetitions; returns whether no limit cut them short.
    bool repeat(JobContext& context, Communicator const& group, Engine& engine, Pattern const& pattern,
                KeptFiles const& kept) {
        auto const files = totals(pattern).files;
        auto whole = true;
        options_.measuring.each(context.clock, [&](Turn const& turn) {
            whole = true;
            for (auto const& phase : pattern.phases) {
                engine.run(phase);
                auto const result = engine.report(phase.name);
                whole = whole && !(result.writes && result.was_cut());
                if (turn.repetition && phase.timed) {
                    context.lines.write(sample(context, phase, result, *turn.repetition, files));
                    write_requests(context, group, result, *turn.repetition);
                }
                if (result.words.any()) {
                    throw Error(kept.judge(diagnose(result.words, pattern, engine, options_.backend.kind().features()),
                                           result.words));
                }
            }
        });
        return whole;
    }

    /// One line per rank, one rank after the other, so that no rank holds them all.
    void write_requests(JobContext const& context, Communicator const& group, PhaseResult const& result,
                        std::uint64_t repetition) const {
        if (options_.detail != Detail::requests) {
            return;
        }
        for (std::uint64_t rank = 0; rank < group.size(); ++rank) {
            auto const mine = rank == group.rank();
            auto const text = group.broadcast(mine ? json_text(records_to_json(result, rank)) : "", rank);
            if (group.is_root()) {
                Json line{{"schema", 1}, {"kind", "requests"}, {"case", context.case_id}, {"repetition", repetition}};
                line.update(parse_json(text));
                context.lines.write(line);
            }
        }
    }

    [[nodiscard]] Json sample(JobContext const& context, Phase const& phase, PhaseResult const& result,
                              std::uint64_t repetition, std::uint64_t files) const {
        Json common{{"backend", options_.backend.name()},
                    {"files", files},
                    {"sync", result.writes ? Json(to_text(sync_of(phase))) : Json()},
                    {"data", result.stamped ? "stamps" : "fixed"}};
        common.update(weir::to_json(result));
        if (options_.detail != Detail::none) {
            common["by_rank"] = ranks_to_json(result);
        }
        double const elapsed_s = common["elapsed_s"];
        std::vector<Metric> metrics{bandwidth(common["bytes"], elapsed_s),
                                    operation_rate(common["operations"], elapsed_s)};
        if (common["bytes"] == 0) {
            metrics.erase(metrics.begin());  // requests without bytes have no bandwidth
        }
        return sample_line(context, {repetition, std::move(common), metrics, Json::object(), warnings_of(phase)});
    }

    [[nodiscard]] Json warnings_of(Phase const& phase) const {
        auto warnings = warnings_;
        if (!options_.backend.kind().features().asynchronous && begins_accesses(phase)) {
            warnings.push_back(
                {"synchronous", fmt::format("asynchronous accesses of '{}' were made one after the other", phase.name),
                 fmt::format("the {} back-end returns from a request when it is made", options_.backend.name()),
                 "Choose the mpiio or the uring back-end to have them overlap."});
        }
        return to_json(warnings);
    }

    StorageOptions options_;
    std::vector<Warning> warnings_{};  ///< of the directories
};

JobRegistration<StorageJob> const registration;

}  // namespace
}  // namespace weir
