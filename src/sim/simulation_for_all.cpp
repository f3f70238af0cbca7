// Phases in which all ranks ask for the same: one batch for all of them, which arrive evenly between the first and the
// last. Queues serve it as they would serve each; what a queue cannot keep apart is not.

#include <algorithm>

#include "sim/simulation.hpp"

namespace weir::sim {
namespace {

bool reads_the_same(Access const& access, std::uint64_t ranks) {
    bool const same = access.part ? access.part->by.same.has_value() && access.part->ranks_per_group == 0
                                  : access.rank_levels.empty() && access.lists.empty();
    bool const plain = !access.sync_each && !access.asynchronous && !access.seeks && !access.pace.is_set();
    return same && plain && !access.collective && access.ranks.count == ranks &&
           access.order.kind == OrderKind::sequential && (access.verb == Verb::read || access.verb == Verb::check);
}

}  // namespace

/// Do all ranks do the same in this step, and is it served alike?
bool Simulation::is_same_for_all(Instruction const& at) const {
    auto const& storage = machine_.storage;
    auto const all = pattern_.ranks;
    auto const of_all = [&](auto const& one) {
        return size_of(one.ranks, all) == all && !pattern_.files[at.file].per_rank;
    };
    if (auto const* access = std::get_if<Access>(at.step)) {
        bool const by_queue = storage.targets.read_cache == 0 || is_kept(at.file);
        return reads_the_same(*access, all) && !pattern_.files[at.file].per_rank && by_queue;
    }
    if (auto const* open = std::get_if<Open>(at.step)) {
        return of_all(*open) && open->mode == OpenMode::read && storage.metadata.collective == CollectiveOpen::each;
    }
    if (auto const* close = std::get_if<Close>(at.step)) {
        return of_all(*close) && storage.metadata.collective != CollectiveOpen::tree;
    }
    auto const* barrier = std::get_if<Barrier>(at.step);
    auto const* compute = std::get_if<Compute>(at.step);
    return (barrier != nullptr && size_of(barrier->ranks, all) == all) ||
           (compute != nullptr && size_of(compute->ranks, all) == all);
}

bool Simulation::is_same_for_all(PhaseProgram const& program) const {
    auto const& storage = machine_.storage;
    bool const plain = phase_->reorder.kind == ReorderKind::none && !phase_->collective &&
                       phase_->time_limit.value == 0 && storage.read_cache == 0 &&
                       pattern_.ranks >= 2 * storage.in_flight;
    auto const& all = program.all();
    return plain && std::all_of(all.begin(), all.end(), [&](auto const& at) { return is_same_for_all(at); }) &&
           std::any_of(all.begin(), all.end(), [](auto const& at) { return at.access != nullptr; });
}

void Simulation::run_for_all(PhaseProgram const& program) {
    Span now{phase_began_, phase_began_};
    for (auto const& instruction : program.all()) {
        now = do_for_all(now, instruction);
        ++events_;
    }
    for (auto& node : nodes_) {
        node.in = nodes_.front().in;
    }
    phase_ended_ = now.last;
}

Span Simulation::note_for_all(Span began, Span ended, Doing doing, std::uint64_t bytes) {
    auto const ranks = pattern_.ranks;
    auto& one = tally(doing);
    one.count += ranks;
    one.bytes += bytes * ranks;
    one.total_s += (ended.mean() - began.mean()) * static_cast<double>(ranks);
    one.longest_s = std::max({one.longest_s, ended.first - began.first, ended.last - began.last});
    return ended;
}

Span Simulation::do_for_all(Span now, Instruction const& at) {
    auto const ranks = pattern_.ranks;
    auto const& rules = metadata_.rules();
    if (at.access != nullptr) {
        return read_for_all(now, *at.access);
    }
    if (auto const* compute = std::get_if<Compute>(at.step)) {
        auto const time = compute->time.value * crowded_;
        processors_s_ += time * static_cast<double>(ranks);
        return note_for_all(now, now.later(time), Doing::compute);
    }
    if (std::holds_alternative<Barrier>(*at.step)) {
        auto const end = now.last + MetadataServers::levels(ranks) * network_.alone(nodes_.size() == 1, 0);
        return note_for_all(now, {end, end}, Doing::barrier);
    }
    bool const opens = std::holds_alternative<Open>(*at.step);
    auto const asked = now.later(rules.base / 2);
    auto const end = opens ? metadata_.open_many(asked, at.file, ranks) : metadata_.close_many(asked, at.file, ranks);
    return note_for_all(now, end.later(rules.base / 2), opens ? Doing::open : Doing::close);
}

/// The requests that are under way together.
Span Simulation::move_for_all(Span asked, std::uint64_t file, Chunks& chunks) {
    struct OnTarget {
        Chunk all;
        std::uint64_t requests = 0;
        std::uint64_t places = 0;
    };
    auto const& storage = machine_.storage;
    std::map<std::uint64_t, OnTarget> targets;
    for (std::uint64_t i = 0; i < storage.in_flight && !chunks.empty(); ++i) {
        auto const chunk = chunks.next();
        auto& on = targets[chunk.target];
        bool const follows = on.requests > 0 && on.all.object_offset == chunk.object_offset;
        on.places += follows ? 0 : 1;
        ++on.requests;
        on.all = {chunk.target, on.all.bytes + chunk.bytes, chunk.object_offset + chunk.bytes};
    }
    auto const ranks = pattern_.ranks;
    auto const on_node = std::min(ranks, ranks_per_node_);
    auto end = asked;
    for (auto const& [target, on] : targets) {
        auto const bytes = static_cast<double>(on.all.bytes);
        auto way = servers_.read_many(asked, ranks, on.all, on.requests, on.places, is_kept(file));
        way = routers_.serve_many(way, ranks, bytes / storage.routers);
        auto const to_node = nodes_.front().in.serve_many(way, on_node, bytes / storage.client);
        end = {std::max(end.first, to_node.first), std::max(end.last, to_node.last)};
    }
    return end;
}

Span Simulation::read_for_all(Span now, Access const& access) {
    auto const& storage = machine_.storage;
    auto const latency = machine_.network.latency;
    auto const call = storage.call * crowded_;
    RankRequests operations(access, Rank{access.ranks.first});
    auto began = now;
    std::uint64_t bytes = 0;
    std::uint64_t calls = 0;
    for (Operation operation; operations.next(operation);) {
        if (!access.list_io || calls == 0) {  // a list is one request
            began = now;
            bytes = 0;
            ++calls;
            processors_s_ += call * static_cast<double>(pattern_.ranks);
            now = now.later(call);
        }
        bytes += operation.length;
        Chunks chunks(striping(access.file), operation.offset, operation.length, storage.request);
        while (!chunks.empty()) {
            now = move_for_all(now.later(latency), access.file, chunks).later(latency);
        }
        now = access.list_io ? now : note_for_all(began, now, Doing::read, bytes);
    }
    return access.list_io && calls > 0 ? note_for_all(began, now, Doing::read, bytes) : now;
}

}  // namespace weir::sim
