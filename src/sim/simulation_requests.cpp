// Reads and writes: through the node's memory and link to servers and targets, and back.

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/simulation.hpp"

namespace weir::sim {

bool Simulation::make(std::uint32_t rank, double now, Instruction const& at, Access const& /*access*/) {
    if (is_collective(at)) {
        return join_collective(rank, now, at);
    }
    if (at.callers != nullptr && !at.access->ranks.contains(Rank{acting(rank)})) {
        ++ranks_[rank].next;
        return true;
    }
    ranks_[rank].work = std::make_unique<Work>(*at.access, Rank{acting(rank)});
    return true;
}

/// Carries a rank's access on; true if it is complete.
bool Simulation::next_operation(std::uint32_t rank, double now) {
    auto& me = ranks_[rank];
    auto& work = *me.work;
    auto const& access = work.access;
    if (work.stage == Work::Stage::issue) {
        return issue(rank, now);
    }
    if (work.stage == Work::Stage::in_memory) {
        if (!work.reads && !work.cached) {
            flush_behind(rank, now);
        }
        end_operation(rank, now);
        return false;
    }
    if (work.stage == Work::Stage::over) {
        return true;
    }
    bool const first = work.turn == 0;
    bool const may_begin = first || !access.list_io;  // a list is one request
    bool const late = phase_->time_limit.value > 0 && now - phase_began_ > phase_->time_limit.value;
    Operation operation;
    if ((may_begin && late) || !work.operations.next(operation)) {
        auto const end = access.list_io && !first ? end_request(rank, now, work.sum) : now;
        work.stage = Work::Stage::over;
        if (end > now) {
            agenda_.add(end, {Event::Kind::rank, rank});
        }
        return end == now;
    }
    work.reads = access.verb == Verb::mixed ? reads_at(access, work.turn) : access.verb != Verb::write;
    ++work.turn;
    work.offset = operation.offset;
    work.length = operation.length;
    work.sum += operation.length;
    auto begins = now;
    if (access.seeks && pointers_[rank].seeks_before(access.file, operation.offset, operation.length)) {
        begins = after_seek(access.file, now);
        tally(Doing::seek).note(begins - now);
    }
    me.began = may_begin ? begins : me.began;
    auto const call = may_begin ? machine_.storage.call * crowded_ : 0;
    processors_s_ += call;
    work.stage = Work::Stage::issue;
    if (begins + call > now) {
        agenda_.add(begins + call, {Event::Kind::rank, rank});
        return false;
    }
    return issue(rank, now);
}

/// When a rank has copied so much, at so many bytes/s if it is alone.
double Simulation::copied(Node& node, double now, double bytes, double alone) {
    return std::max(now + bytes / alone * crowded_, node.memory.serve(now, bytes / machine_.nodes.copy_together));
}

/// What its node lacks of a rank's read, with what it reads ahead where that follows its last one; nothing if it has
/// all.
Together Simulation::lacking(std::uint32_t rank, std::uint64_t file) {
    auto& me = ranks_[rank];
    auto const& work = *me.work;
    auto const end = work.offset + work.length;
    bool const follows = work.offset == 0 || (me.read_file == file && me.read_end == work.offset);
    me.read_file = file;
    me.read_end = end;
    auto const begin = node_of(rank).cache.until(file, work.offset);
    if (begin >= end) {
        return {begin, 0};
    }
    auto const ahead = follows ? std::min(begin + machine_.storage.read_ahead, size_of_file(file)) : end;
    return {begin, std::max(end, ahead) - begin};
}

/// Does another rank of the node read what it lacks? Else this one does.
bool Simulation::waits_for_fetch(std::uint32_t rank, std::uint64_t file) {
    auto const& work = *ranks_[rank].work;
    auto& fetches = node_of(rank).fetches;
    for (auto& other : fetches) {
        if (other.file == file && other.begin <= work.fetched.offset && work.offset + work.length <= other.end) {
            other.waiting.push_back(rank);
            return true;
        }
    }
    fetches.push_back({rank, file, work.fetched.offset, work.fetched.end()});
    return false;
}

void Simulation::keep_in_memory(std::uint32_t rank, double now) {
    auto const& work = *ranks_[rank].work;
    auto& node = node_of(rank);
    auto const kept = work.cached ? Together{work.offset, work.length} : work.fetched;
    node.cache.keep(file_number(work.access.file, acting(rank)), kept.offset, kept.bytes, machine_.storage.read_cache);
    auto const mine =
        std::find_if(node.fetches.begin(), node.fetches.end(), [&](auto const& fetch) { return fetch.rank == rank; });
    if (mine == node.fetches.end()) {
        return;
    }
    auto const waiting = std::move(mine->waiting);
    node.fetches.erase(mine);
    for (auto const other : waiting) {
        auto& theirs = *ranks_[other].work;
        theirs.cached = true;
        theirs.stage = Work::Stage::in_memory;
        auto const bytes = static_cast<double>(theirs.length);
        agenda_.add(copied(node, now, bytes, machine_.nodes.copy), {Event::Kind::rank, other});
    }
}

bool Simulation::issue(std::uint32_t rank, double now) {
    auto& me = ranks_[rank];
    auto& work = *me.work;
    if (!lock_call(rank, now)) {
        return false;
    }
    auto& node = node_of(rank);
    auto const& storage = machine_.storage;
    auto const file = file_number(work.access.file, acting(rank));
    auto const bytes = static_cast<double>(work.length);
    bool const gathers = gathering_.is_on() && !work.reads && !work.access.asynchronous;
    bool const keeps = work.reads && storage.read_cache > 0;
    work.fetched = keeps ? lacking(rank, file) : Together{work.offset, work.length};
    auto const sent = gathers ? gather(rank, file, now) : work.fetched;
    work.chunks = Chunks(striping(file), sent.offset, sent.bytes, storage.request);
    bool const hit = keeps && sent.bytes == 0;
    bool const joined = gathers && sent.bytes == 0;
    bool const behind = !work.reads && (joined || node.dirty + static_cast<double>(sent.bytes) <= storage.cache);
    if (keeps && !hit && !work.access.asynchronous && waits_for_fetch(rank, file)) {
        return false;
    }
    outcome_->bytes_found += keeps ? static_cast<std::int64_t>(work.length) - static_cast<std::int64_t>(sent.bytes) : 0;
    work.cached = hit;
    if (hit || behind) {
        work.stage = Work::Stage::in_memory;
        node.dirty += behind ? static_cast<double>(sent.bytes) : 0;
        auto const alone = behind ? std::min(machine_.nodes.copy, storage.copy) : machine_.nodes.copy;
        agenda_.add(copied(node, now, bytes, alone), {Event::Kind::rank, rank});
        return false;
    }
    work.stage = Work::Stage::moving;
    if (work.access.asynchronous) {
        if (storage.read_cache > 0) {
            node.cache.keep(file, work.fetched.offset, work.fetched.bytes, storage.read_cache);
        }
        while (!work.chunks.empty()) {
            auto const id = new_request(rank, work);
            requests_[id].asynchronous = true;
            ++me.asynchronous;
            ++asynchronous_[{rank, file}];
            queued_[rank].push_back(id);
        }
        start_queued(rank, now);
        work.stage = Work::Stage::next;
        unlock_call(rank, now);
        if (!work.access.list_io) {  // else all pieces are one
            tally(work.reads ? Doing::read : Doing::write).note(now - me.began, work.length);
        }
        agenda_.add(now, {Event::Kind::rank, rank});
        return false;
    }
    fill(rank, now);
    if (me.pending == 0 && work.chunks.empty()) {  // there are no bytes
        work.stage = Work::Stage::in_memory;
        agenda_.add(now, {Event::Kind::rank, rank});
    }
    return false;
}

void Simulation::fill(std::uint32_t rank, double now) {
    auto& me = ranks_[rank];
    while (!me.work->chunks.empty() && in_flight(rank) < machine_.storage.in_flight) {
        ++me.pending;
        start(new_request(rank, *me.work), now);
    }
}

std::uint64_t Simulation::in_flight(std::uint32_t rank) const {
    auto const& me = ranks_[rank];
    auto const queued = queued_.find(rank);
    auto const waited_for = me.work ? me.pending : 0;  // else those are messages
    return waited_for + me.asynchronous - (queued == queued_.end() ? 0 : queued->second.size());
}

/// Starts asynchronous requests of a rank while there is room for them.
void Simulation::start_queued(std::uint32_t rank, double now) {
    for (auto queued = queued_.find(rank); queued != queued_.end() && in_flight(rank) < machine_.storage.in_flight;) {
        auto const id = queued->second.front();
        queued->second.pop_front();
        if (queued->second.empty()) {
            queued_.erase(queued);
            queued = queued_.end();
        }
        start(id, now);
    }
}

void Simulation::flush_behind(std::uint32_t rank, double now) {
    auto& work = *ranks_[rank].work;
    send_behind(rank, file_number(work.access.file, acting(rank)), std::exchange(work.chunks, {}), now);
}

void Simulation::send_behind(std::uint32_t rank, std::uint64_t file, Chunks chunks, double now) {
    while (!chunks.empty()) {
        auto const id = new_request(rank, false, file, chunks.next());
        requests_[id].background = true;
        ++behind_[file];
        start(id, now);
    }
}

/// Joins a rank's write with those before it; what it has to send now.
Together Simulation::gather(std::uint32_t rank, std::uint64_t file, double now) {
    auto const& work = *ranks_[rank].work;
    auto const sent = gathering_.add(rank, file, {work.offset, work.length});
    send_gathered(rank, file, sent.left, now);
    return sent.full;
}

/// Sends what fills no unit, behind the rank's back.
void Simulation::send_gathered(std::uint32_t rank, std::uint64_t file, Together bytes, double now) {
    node_of(rank).dirty += static_cast<double>(bytes.bytes);
    send_behind(rank, file, Chunks(striping(file), bytes.offset, bytes.bytes, machine_.storage.request), now);
}

std::uint32_t Simulation::new_request(std::uint32_t rank, bool reads, std::uint64_t file, Chunk const& chunk) {
    if (unused_.empty()) {
        unused_.push_back(static_cast<std::uint32_t>(requests_.size()));
        requests_.emplace_back();
    }
    auto const id = unused_.back();
    unused_.pop_back();
    auto& request = requests_[id];
    request = {rank, reads};
    request.file = file;
    request.chunk = chunk;
    return id;
}

/// The next part of a rank's current request.
std::uint32_t Simulation::new_request(std::uint32_t rank, Work& work) {
    return new_request(rank, work.reads, file_number(work.access.file, acting(rank)), work.chunks.next());
}

/// The lock with that number, in file order, of those that a write needs at its server.
std::optional<std::uint64_t> Simulation::lock_of(Request const& request, std::uint32_t number) const {
    auto const& rules = machine_.storage.locks;
    bool const alone = request.collective > 0 || request.file >= pattern_.files.size();
    if (rules.unit == LockUnit::none || rules.of_calls || alone) {
        return std::nullopt;
    }
    auto const unit = lock_unit(rules, striping(request.file), request.chunk, number);
    return unit ? std::optional(request.file << 40U | *unit) : std::nullopt;
}

/// Takes the next lock that a write needs; false if it waits for it.
bool Simulation::lock(std::uint32_t id, double now) {
    auto& request = requests_[id];
    auto const next = lock_of(request, request.locks);
    if (!next) {
        return true;
    }
    ++request.locks;
    auto const client = machine_.storage.locks.of_ranks ? request.rank : network_.node_of(request.rank);
    if (auto const wait = locks_.ask(*next, {client, id, request.chunk.bytes}, now)) {
        agenda_.add(now + *wait, {Event::Kind::locked, id});
    }
    return false;
}

void Simulation::unlock(Request const& request, double now) {
    for (std::uint32_t i = 0; i < request.locks; ++i) {
        locks_.release(*lock_of(request, i), now, [&](std::uint32_t other, double wait) {
            agenda_.add(now + wait, {Event::Kind::locked, other});
        });
    }
}

/// Takes the lock on its file that a rank's call needs; false if the rank comes back when it has it.
bool Simulation::lock_call(std::uint32_t rank, double now) {
    auto& work = *ranks_[rank].work;
    auto const& rules = machine_.storage.locks;
    bool const shared = !pattern_.files[work.access.file].per_rank;
    if (!rules.of_calls || rules.unit == LockUnit::none || work.reads || work.locked || !shared) {
        return true;
    }
    auto const client = rules.of_ranks ? rank : network_.node_of(rank);
    auto const cost = locks_.ask(work.access.file, {client, rank, work.length}, now);
    work.locked = cost.has_value();
    if (cost.value_or(0) > 0) {
        agenda_.add(now + *cost, {Event::Kind::rank, rank});
    }
    return cost == 0.0;
}

/// Gives it to the next one, if the rank has it.
void Simulation::unlock_call(std::uint32_t rank, double now) {
    auto& work = *ranks_[rank].work;
    if (!std::exchange(work.locked, false)) {
        return;
    }
    locks_.release(work.access.file, now, [&](std::uint32_t other, double cost) {
        ranks_[other].work->locked = true;
        agenda_.add(now + cost, {Event::Kind::rank, other});
    });
}

void Simulation::start(std::uint32_t id, double now) {
    auto const& request = requests_[id];
    if (request.reads) {
        agenda_.add(now + machine_.network.latency, {Event::Kind::arrived, id});
        return;
    }
    auto const bytes = static_cast<double>(request.chunk.bytes);
    route(id, node_of(request.rank).out.serve(now, bytes / machine_.storage.client));
}

/// A request will be at the routers then; where there are none, behind them.
void Simulation::route(std::uint32_t id, double at) {
    if (std::isfinite(machine_.storage.routers)) {
        agenda_.add(at, {Event::Kind::routed, id});
    } else {
        behind_routers(id, at);
    }
}

void Simulation::routed(std::uint32_t id, double now) {
    auto const bytes = static_cast<double>(requests_[id].chunk.bytes);
    behind_routers(id, routers_.serve(now, bytes / machine_.storage.routers));
}

void Simulation::behind_routers(std::uint32_t id, double at) {
    if (requests_[id].reads) {
        agenda_.add(at, {Event::Kind::returned, id});
    } else {
        agenda_.add(at + machine_.network.latency, {Event::Kind::arrived, id});
    }
}

void Simulation::arrived(std::uint32_t id, double now) {
    auto const& request = requests_[id];
    if (request.reads) {
        agenda_.add(servers_.read(now, request.file, request.chunk, is_kept(request.file)), {Event::Kind::read, id});
        return;
    }
    write(id, now);
}

/// A write at its server, which needs its locks.
void Simulation::write(std::uint32_t id, double now) {
    if (!lock(id, now)) {
        return;  // it comes again with one more
    }
    auto const& request = requests_[id];
    auto const end = servers_.write(now, request.file, request.chunk);
    agenda_.add(end + machine_.network.latency, {Event::Kind::done, id});
}

void Simulation::has_read(std::uint32_t id, double now) { route(id, servers_.send(now, requests_[id].chunk)); }

void Simulation::returned(std::uint32_t id, double now) {
    auto const& request = requests_[id];
    auto const bytes = static_cast<double>(request.chunk.bytes);
    auto const at = node_of(request.rank).in.serve(now, bytes / machine_.storage.client);
    agenda_.add(at + machine_.network.latency, {Event::Kind::done, id});
}

void Simulation::done(std::uint32_t id, double now) {
    auto const request = requests_[id];
    unused_.push_back(id);
    unlock(request, now);
    if (request.collective > 0) {
        if (--collectives_[request.collective - 1].pending == 0) {
            end_round(request.collective - 1, now);
        }
        return;
    }
    auto& me = ranks_[request.rank];
    if (request.background) {
        node_of(request.rank).dirty -= static_cast<double>(request.chunk.bytes);
        if (--behind_.at(request.file) == 0) {
            behind_.erase(request.file);
            auto const waiting = syncing_.extract(request.file);
            for (auto const rank : waiting.empty() ? Gathered{} : waiting.mapped()) {
                go_on(rank, now);
            }
        }
        return;
    }
    if (request.asynchronous) {
        auto const of_file = asynchronous_.find({request.rank, request.file});
        --me.asynchronous;
        start_queued(request.rank, now);
        if (me.work && me.work->stage == Work::Stage::moving) {
            fill(request.rank, now);
        }
        if (--of_file->second == 0) {
            asynchronous_.erase(of_file);
            if (std::exchange(me.waits, false)) {
                go_on(request.rank, now);
            }
        }
        return;
    }
    --me.pending;
    start_queued(request.rank, now);
    fill(request.rank, now);
    if (me.pending == 0 && me.work->chunks.empty()) {
        end_operation(request.rank, now);
    }
}

/// Counts a rank's request of so many bytes. When it goes on: behind a sync or a pause.
double Simulation::end_request(std::uint32_t rank, double now, std::uint64_t bytes) {
    auto const& me = ranks_[rank];
    auto const& access = me.work->access;
    tally(me.work->reads ? Doing::read : Doing::write).note(now - me.began, bytes);
    if (access.asynchronous) {
        return now;  // it has only begun
    }
    auto end = now;
    if (access.sync_each) {
        auto const file = file_number(access.file, acting(rank));
        end = metadata_.serve(flushed(file, now), file, metadata_.rules().sync);
        tally(Doing::sync).note(end - now);
    }
    auto const most = static_cast<double>(access.pace.most_per_second.value);
    auto const least = most == 0 ? 0 : static_cast<double>(bytes) / most;
    return std::max(end, me.began + least) + access.pace.think.value;
}

/// A rank's current request, or a piece of a list, is complete; it goes on with its access.
void Simulation::end_operation(std::uint32_t rank, double now) {
    auto& work = *ranks_[rank].work;
    work.stage = Work::Stage::next;
    if (machine_.storage.read_cache > 0) {
        keep_in_memory(rank, now);
    }
    unlock_call(rank, now);
    auto const end = work.access.list_io ? now : end_request(rank, now, work.length);
    if (end > now) {
        agenda_.add(end, {Event::Kind::rank, rank});
    } else {
        go_on(rank, now);
    }
}

}  // namespace weir::sim
