#include "storage/engine/engine.hpp"

#include <algorithm>
#include <utility>

#include "comm/clock_offset.hpp"
#include "comm/collective_error.hpp"
#include "core/error.hpp"
#include "core/interrupt.hpp"
#include "core/proc.hpp"
#include "core/random.hpp"
#include "core/rank_progress.hpp"
#include "storage/engine/engine_state.hpp"
#include "storage/engine/transfer.hpp"
#include "storage/hints.hpp"

namespace weir {

Engine::Engine(Backend& backend, Communicator comm, EngineSettings settings, Clock& clock)
    : backend_(backend),
      comm_(std::move(comm)),
      settings_(std::move(settings)),
      node_(comm_.node()),
      clock_(clock),
      clock_offset_s_(offset_to_root(comm_, clock)),
      node_of_rank_(comm_.all_gather(node_.all_gather(comm_.rank()).front())),
      counter_(calls_, settings_.times_calls ? &clock : nullptr) {}

Engine::~Engine() = default;

std::uint64_t Engine::declare(File file, FileBounds const& bounds) {
    make_room(bounds.largest_request);
    files_.push_back(std::move(file));
    bounds_.push_back(bounds);
    created_.push_back(false);
    stamped_as_.push_back(files_.size() - 1);
    handles_.emplace_back();
    times_.emplace_back();
    return files_.size() - 1;
}

void Engine::declare_again(std::uint64_t file, File what, FileBounds const& bounds) {
    expect(!handles_.at(file).file, "a file is closed before its index names another one");
    make_room(bounds.largest_request);
    files_.at(file) = std::move(what);
    bounds_.at(file) = bounds;
    created_.at(file) = false;
    stamped_as_.at(file) = file;
}

void Engine::declare(Pattern const& pattern) {
    expect(pattern.ranks == comm_.size(), "the pattern is for as many ranks as there are");
    auto const sizes = file_sizes(pattern);
    auto const largest = largest_request(pattern);
    memory_ = backend_.avoids_caches() ? DataMemory{pattern.memory.bytes, 0} : pattern.memory;
    for (std::size_t file = 0; file < sizes.size(); ++file) {
        declare(pattern.files[file], {sizes[file], largest});
    }
}

void Engine::make_room(std::uint64_t request) {
    if (buffer_ && request <= buffer_->largest() && memory_ == buffer_->wanted()) {
        return;
    }
    // Open files may have registered the old buffer, or have allocated memory for its size only.
    expect(std::ranges::all_of(handles_, [](Handle const& handle) { return !handle.file; }),
           "larger requests are declared while no file is open");
    run_together(comm_, [&] {
        buffer_.reset();
        buffer_.emplace(request, memory_);
        // Not all bytes equal: storage that compresses or deduplicates would look too fast.
        auto const bytes = buffer_->bytes();
        Stamp(mix(settings_.seed), comm_.rank()).fill(bytes, 0);
        backend_.prepare(buffer_->first(request));
    });
}

void Engine::run(Phase const& phase, DataSource* source) {
    validate(source == nullptr || !backend_.decides_places(), "pointer = shared contradicts an application's data",
             "they would be read in another order than written", "Choose pointer = explicit or individual.");
    if (!batch_ && (source != nullptr || settings_.stamps)) {
        run_together(comm_, [&] { batch_.emplace(batch_bytes); });
    }
    auto& ran = prepare(phase);
    State state{phase, acting_rank(phase.reorder, Rank{comm_.rank()}, comm_.size()), ran, source};
    note_phase(phase.name);
    carry_out(state);
    conclude(state);
    note_phase("");
}

void Engine::carry_out(State& state) {
    auto& ran = state.ran;
    lay_out(state);
    auto const fetched_before = bytes_read_from_devices();
    auto const counted_before = process_counts();
    calls_ = {};
    if (settings_.times_calls) {
        std::ranges::fill(times_, FileTimes());
    }
    comm_.barrier();
    state.began_s = clock_.now_s();
    if (ran.runs++ == 0) {
        ran.meter.start(state.began_s);
        ran.times.start_s = state.began_s + clock_offset_s_;
    }
    each_turn(state.phase.steps, [&](Step const& one, Turns const& turns) {
        // Later steps may be collective: a failed rank still takes part in them, and its first failure is reported.
        keep_failure(state.failure, [&] { std::visit([&](auto const& s) { step(s, turns, state); }, one); });
        return true;
    });
    for (std::uint64_t file = 0; file < handles_.size(); ++file) {
        keep_failure(state.failure, [&] { finish(file, state); });
    }
    state.ended_s = clock_.now_s();
    ran.times.end_s = state.ended_s + clock_offset_s_;
    ran.calls.add(calls_);
    if (settings_.times_calls) {
        ran.costs.add({state.ended_s - state.began_s, {times_.begin(), times_.end()}});
    }
    ran.note_kernel(process_counts(), counted_before, bytes_read_from_devices(), fetched_before);
}

void Engine::lay_out(State& state) const {
    each_access(state.phase.steps, [&](Access const& access, Loops const& loops) {
        for (auto const& [file, ignored] : files_reached(access.file, access.file_advance, {}, loops)) {
            state.accessed.insert(file);
            if (access.collective) {
                state.collective.insert(file);
            }
        }
        auto& layout = state.layouts[&access];
        layout.now = access;
        layout.index = state.made.size();
        state.made.push_back(0);
        auto const all = volume(access, state.acting);
        layout.mean_bytes = all.requests > 0 ? all.bytes / all.requests : 0;
        if (access.list_io && !access.part) {
            keep_failure(state.failure, [&] { layout.pieces = list_io_pieces(access, state.acting); });
        }
    });
}

OutOfTime Engine::out_of_time(State const& state) const {
    if (state.phase.time_limit.value <= 0) {
        return {};
    }
    return [this, deadline_s = state.began_s + state.phase.time_limit.value] { return clock_.now_s() > deadline_s; };
}

void Engine::step(Open const& open, Turns const& turns, State& state) {
    auto const index = file_at(open, turns);
    if (open.mode == OpenMode::create) {
        stamped_as_[index] = index;
    }
    if (!contains(open.ranks, state.acting)) {
        return;
    }
    pointers_.open(index);
    auto const shared = !files_[index].per_rank;
    auto const size = bounds_[index].bytes;
    auto const dataset = files_[index].dataset_bytes;
    auto const path = path_of(index, state.acting);
    auto& handle = handles_[index];
    auto const collective = open.collective || state.phase.collective || state.collective.contains(index);
    handle.collective = collective;
    handle.group = &group_of(open.ranks, state.phase);
    handle.name = path.string();
    auto* const times = settings_.times_calls ? &times_[index] : nullptr;
    if (times != nullptr) {
        times->begin(files_[index].name, files_[index].arrays, clock_);
    }
    auto const created_s = times != nullptr ? times->creating_s() : 0;
    OpenRequest const request{path,
                              open.mode,
                              shared ? *handle.group : alone_,
                              collective,
                              buffer_->largest(),
                              size,
                              dataset > 0 ? dataset : size,
                              with_canary(settings_.hints),
                              !settings_.stamps && state.source == nullptr,
                              out_of_time(state),
                              files_[index].arrays,
                              open.makes,
                              &counter_,
                              times};
    auto const start = clock_.now_s();
    keep_failure(state.failure, [&] { handle.file = backend_.open(request); });
    auto const opened_s = clock_.now_s() - start;
    state.ran.times.open_s += opened_s;
    if (times != nullptr) {
        times->open_s += opened_s - (times->creating_s() - created_s);
    }
    // No rank may enter collective accesses to a file that another rank could not open.
    if (collective && any(*handle.group, !handle.file)) {
        handle.file.reset();
    }
}

void Engine::step(Preallocate const& preallocate, Turns const& turns, State& state) {
    auto& file = handles_[file_at(preallocate, turns)].file;
    if (file && (contains(preallocate.ranks, state.acting) || file->syncs_together())) {
        auto const start = clock_.now_s();
        file->preallocate(preallocate.bytes);
        state.ran.times.open_s += clock_.now_s() - start;
    }
}

void Engine::step(Access const& access, Turns const& turns, State& state) {
    auto& layout = state.layouts.at(&access);
    layout.move(access, turns);
    auto const& now = layout.now;
    auto& handle = handles_[now.file];
    if (!handle.file) {
        if (handle.group != nullptr && state.phase.wear_out && !state.phase.is_collective(access)) {
            // The other ranks ask for the number of this rank's requests.
            static_cast<void>(handle.group->max(std::uint64_t{0}));
        }
        return;
    }
    if (access.seeks && !state.failure) {
        note_seeks(now, state.acting);
    }
    auto const begins = access.asynchronous && !(access.part && handle.file->takes_parts());
    auto const collective = state.phase.is_collective(access);
    if (!begins) {
        keep_failure(state.failure, [&] { finish(now.file, state); });
    }
    if (handle.collective) {
        keep_failure(state.failure, [&] { handle.file->set_collective(collective); });
    }
    if (begins) {
        auto const start = clock_.now_s();
        handle.file->begin(now, state.acting);  // collective over the ranks that have it open
        state.ran.times.transfer_s += clock_.now_s() - start;
        if (!state.failure && now.ranks.contains(state.acting)) {
            begin(access, now, turns, state);
        }
        return;
    }
    TransferPlan plan{.access = now, .file_name = handle.name, .acting = state.acting};
    plan.wear_out = state.phase.wear_out;
    plan.collective = collective;
    plan.mean_bytes = layout.mean_bytes;
    plan.pieces = layout.pieces;
    plan.by_rank = state.phase.reorder.kind == ReorderKind::none;
    plan.by_all = handle.group == &comm_;
    if (state.failure) {
        plan.most = 0;  // it still takes part in collective calls
    } else if (auto const limit = made_.find(state.phase.limited_by); limit != made_.end()) {
        plan.most = limit->second.at(layout.index).at(state.acting.value);
    }
    if (state.phase.time_limit.value > 0) {
        plan.deadline_s = state.began_s + state.phase.time_limit.value;
        if (state.phase.tail_limit.value > 0) {
            plan.tail_deadline_s = *plan.deadline_s + state.phase.tail_limit.value;
        }
    }
    expect(access.verb != Verb::check || settings_.stamps || state.source != nullptr,
           "what is checked is stamped, or a source knows it");
    std::optional<StampedContents> stamped;
    std::optional<StampedRequests> requests;
    std::optional<SourcedContents> sourced;
    if (state.source != nullptr) {
        plan.fills = plan.takes = &sourced.emplace(*state.source, CurrentAccess{access, now.file, turns});
    } else if (settings_.stamps) {
        stamped.emplace(stamp_of(now.file, state.acting), now.file, state.acting, state.ran.words);
        plan.fills = access.verb == Verb::read ? nullptr : &*stamped;
        plan.takes = access.verb == Verb::check ? &*stamped : nullptr;
        auto const together = handle.group->size() > 1 && !files_[now.file].per_rank;
        if (plan.takes != nullptr && together && !collective && backend_.decides_places()) {
            plan.takes = &requests.emplace(stamp_of(now.file, state.acting), now.file, now, state.ran.words);
        }
    }
    auto const calls_before = calls_[IoCall::write].count;
    plan.spent = times_of(now);
    if (plan.spent != nullptr) {
        plan.spent->is_attribute = handle.file->moves_together(now.part->what);
    }
    Transfer transfer(*handle.file, *buffer_, batch_ ? batch_->bytes() : std::span<std::byte>(), *handle.group, clock_,
                      state.ran.meter);
    keep_failure(state.failure, [&] { transfer.run(plan, state.ran.times); });
    if (plan.spent != nullptr) {
        plan.spent->written().count += calls_[IoCall::write].count - calls_before;
    }
    state.made[layout.index] = state.ran.meter.made();
}

ArrayTimes* Engine::times_of(Access const& access) {
    auto const kept = settings_.times_calls && access.part && access.verb == Verb::write;
    return kept ? FileTimes::array_in(&times_[access.file], access.part->array) : nullptr;
}

void Engine::step(Sync const& sync, Turns const& turns, State& state) {
    auto& handle = handles_[file_at(sync, turns)];
    auto& file = handle.file;
    if (!file || (!contains(sync.ranks, state.acting) && !file->syncs_together())) {
        return;
    }
    keep_failure(state.failure, [&] { finish(file_at(sync, turns), state); });
    // After a failure, waiting for the device is pointless. Ranks that sync together must agree on that.
    auto const stopped = state.failure || stop_requested.load(std::memory_order_relaxed);
    auto const failed = file->syncs_together() ? any(*handle.group, stopped) : stopped;
    if (failed) {
        throw_if_interrupted();
        return;
    }
    auto const start = clock_.now_s();
    file->sync();
    auto const synced_s = clock_.now_s() - start;
    state.ran.times.sync_s += synced_s;
    times_[file_at(sync, turns)].sync_s += synced_s;
}

void Engine::step(Close const& close, Turns const& turns, State& state) {
    if (!contains(close.ranks, state.acting)) {
        return;
    }
    auto const index = file_at(close, turns);
    std::optional<Diagnosis> failure;
    keep_failure(failure, [&] { finish(index, state); });
    auto const handle = std::exchange(handles_[index], {});
    if (handle.file) {
        auto const start = clock_.now_s();
        state.ran.hints = handle.file->hints();
        handle.file->close();
        auto const closed_s = clock_.now_s() - start;
        state.ran.times.close_s += closed_s;
        times_[index].close_s += closed_s;
    }
    throw_kept(failure);
}

void Engine::step(Compute const& compute, Turns const&, State& state) {
    auto const together = state.source != nullptr && state.source->computes_together();
    auto const failed = together ? any(comm_, state.failure.has_value()) : state.failure.has_value();
    if (failed || !contains(compute.ranks, state.acting)) {
        return;
    }
    if (state.source == nullptr || !state.source->compute(compute)) {
        clock_.compute(compute.time);
    }
    if (stop_requested.load(std::memory_order_relaxed)) {
        throw_interrupted();
    }
}

void Engine::step(Barrier const& barrier, Turns const&, State& state) {
    if (contains(barrier.ranks, state.acting)) {
        group_of(barrier.ranks, state.phase).barrier();
    }
}

namespace {

/// The key of an I/O group: ranks take part under the rank whose part they do. That of InGroups is its size alone.
std::vector<std::uint64_t> key_of(Ranks const& ranks, Reorder const& reorder) {
    std::vector<std::uint64_t> key{static_cast<std::uint64_t>(reorder.kind), reorder.shift, reorder.seed};
    for (auto const& set : ranks) {
        key.insert(key.end(), {set.first, set.count, set.step});
    }
    return key;
}

}  // namespace

Communicator const& Engine::group_of(Ranks const& ranks, Phase const& phase) const {
    auto const same = canonical(ranks, comm_.size());
    if (same.empty()) {
        return comm_;
    }
    return size_of(same, comm_.size()) == 1 ? alone_ : groups_.at(key_of(same, phase.reorder));
}

void Engine::make_groups(Phase const& phase) {
    auto const make = [&](Ranks const& ranks) {
        auto const same = canonical(ranks, comm_.size());
        auto const key = key_of(same, phase.reorder);
        if (same.empty() || size_of(same, comm_.size()) == 1 || groups_.contains(key)) {
            return;
        }
        // A rank that takes no part gets a group too, which it never uses.
        auto const acting = acting_rank(phase.reorder, Rank{comm_.rank()}, comm_.size());
        groups_.emplace(key, comm_.split(contains(same, acting) ? 0 : 1));
    };
    each_step(phase.steps, [&](Step const& step, Loops const&) {
        if (auto const* open = std::get_if<Open>(&step)) {
            make(open->ranks);
        } else if (auto const* barrier = std::get_if<Barrier>(&step)) {
            make(barrier->ranks);
        } else if (auto const* broadcast = std::get_if<Broadcast>(&step)) {
            make(broadcast->ranks);
        } else if (auto const* messages = std::get_if<InGroups>(&step)) {
            auto const size = messages->ranks_per_group;
            if (!groups_.contains({size})) {
                groups_.emplace(std::vector{size}, comm_.split(comm_.rank() / size));
            }
        }
    });
}

}  // namespace weir
