// What ranks do besides requests and messages: metadata operations, barriers, computing.

#include <algorithm>
#include <utility>

#include "sim/simulation.hpp"

namespace weir::sim {

bool Simulation::begin_step(std::uint32_t rank, double now) {
    auto& me = ranks_[rank];
    me.began = std::exchange(me.again, false) ? me.began : now;
    auto const& at = instruction(rank);
    return std::visit([&](auto const& one) { return make(rank, now, at, one); }, *at.step);
}

bool Simulation::end_step(std::uint32_t rank, double now, double end, Doing doing, std::uint64_t operations) {
    auto& me = ranks_[rank];
    tally(doing).note(end - me.began, 0, operations);
    ++me.next;
    if (end == now) {
        return true;
    }
    agenda_.add(end, {Event::Kind::rank, rank});
    return false;
}

bool Simulation::together(std::uint32_t rank, double now, std::uint64_t ranks, double service_s, Doing doing) {
    auto const number = program_->of(acting(rank))[ranks_[rank].next];
    auto& there = gathered_[number];
    there.push_back(rank);
    if (there.size() < ranks) {
        return false;
    }
    auto const all = gathered_.extract(number);
    for (auto const other : all.mapped()) {
        if (other != rank) {
            tally(doing).note(now + service_s - ranks_[other].began);
            ++ranks_[other].next;
            agenda_.add(now + service_s, {Event::Kind::rank, other});
        }
    }
    return end_step(rank, now, now + service_s, doing);
}

/// The same; the last one asks when servers are ready: end().
template <class End>
bool Simulation::served_together(std::uint32_t rank, double now, std::uint64_t ranks, Doing doing, End end) {
    auto const number = program_->of(acting(rank))[ranks_[rank].next];
    bool const last = gathered_[number].size() + 1 == ranks;
    return together(rank, now, ranks, last ? end() - now : 0, doing);
}

bool Simulation::make(std::uint32_t rank, double now, Instruction const& at, Open const& open) {
    auto const file = file_number(at.file, acting(rank));
    auto const& rules = metadata_.rules();
    if (!pointers_.empty()) {
        pointers_[rank].open(at.file);
    }
    bool const creates = open.mode == OpenMode::create && !std::exchange(exists_[file], true);
    if (creates) {
        renamed_.erase(file);
    }
    auto const doing = open.mode == OpenMode::create ? Doing::create : Doing::open;
    auto const service = creates ? rules.create : rules.open;
    auto const ranks = size_of(open.ranks, pattern_.ranks);
    if (rules.collective == CollectiveOpen::each || ranks == 1 || pattern_.files[at.file].per_rank) {
        return end_step(rank, now, metadata_.serve(now, file, service), doing);
    }
    auto const levels = MetadataServers::levels(ranks);
    bool const tree = rules.collective == CollectiveOpen::tree;
    return served_together(rank, now, ranks, doing, [&] {
        return metadata_.serve(now, file, tree ? levels * service : service) +
               (tree ? 0 : levels * network_.alone(false, 0));
    });
}

bool Simulation::is_complete(std::uint32_t rank, std::uint64_t file) {
    auto& me = ranks_[rank];
    me.waits = asynchronous_.contains({rank, file});
    me.again = me.waits;
    return !me.waits;
}

bool Simulation::make(std::uint32_t rank, double now, Instruction const& at, Close const& close) {
    auto const& rules = metadata_.rules();
    auto const ranks = size_of(close.ranks, pattern_.ranks);
    auto const file = file_number(at.file, acting(rank));
    send_gathered(rank, file, gathering_.take(rank, file), now);
    if (!is_complete(rank, file)) {
        return false;
    }
    if (rules.collective != CollectiveOpen::tree || ranks == 1 || pattern_.files[at.file].per_rank) {
        return end_step(rank, now, metadata_.close(now, file, rules.close), Doing::close);
    }
    return served_together(rank, now, ranks, Doing::close,
                           [&] { return metadata_.close(now, file, MetadataServers::levels(ranks) * rules.close); });
}

double Simulation::flushed(std::uint64_t file, double now) {
    return machine_.storage.targets.cache > 0 ? servers_.written(file, striping(file), now) : now;
}

bool Simulation::make(std::uint32_t rank, double now, Instruction const& at, Sync const& /*sync*/) {
    auto const file = file_number(at.file, acting(rank));
    send_gathered(rank, file, gathering_.take(rank, file), now);
    if (!is_complete(rank, file)) {
        return false;
    }
    if (behind_.contains(file)) {
        syncing_[file].push_back(rank);  // tried again when the last request is done
        ranks_[rank].again = true;
        return false;
    }
    auto const end = metadata_.serve(flushed(file, now), file, metadata_.rules().sync);
    return end_step(rank, now, end, Doing::sync);
}

/// Takes no time: no model says what it costs.
bool Simulation::make(std::uint32_t rank, double /*now*/, Instruction const& /*at*/, Preallocate const& /*reserve*/) {
    ++ranks_[rank].next;
    return true;
}

bool Simulation::make(std::uint32_t rank, double /*now*/, Instruction const& at, Wait const& /*wait*/) {
    bool const complete = is_complete(rank, file_number(at.file, acting(rank)));
    ranks_[rank].next += complete ? 1 : 0;
    return complete;
}

bool Simulation::make(std::uint32_t rank, double now, Instruction const& /*at*/, Compute const& compute) {
    auto const time = compute.time.value * crowded_;
    processors_s_ += time;
    return end_step(rank, now, now + time, Doing::compute);
}

bool Simulation::make(std::uint32_t rank, double now, Instruction const& /*at*/, Barrier const& barrier) {
    auto const ranks = size_of(barrier.ranks, pattern_.ranks);
    auto const hop = network_.alone(nodes_.size() == 1, 0);
    return together(rank, now, ranks, ranks > 1 ? MetadataServers::levels(ranks) * hop : 0, Doing::barrier);
}

bool Simulation::make(std::uint32_t rank, double now, Instruction const& at, Seek const& /*seek*/) {
    if (!pointers_.empty()) {
        pointers_[rank].seek(at.file, at.to);
    }
    return end_step(rank, now, after_seek(at.file, now), Doing::seek);
}

double Simulation::after_seek(std::uint64_t file, double now) {
    auto const& rules = machine_.storage;
    auto const end = now + rules.seek * crowded_;
    return rules.seek_served > 0 ? seeks_[file].serve(end, rules.seek_served) : end;
}

/// Once for a file; if each rank has one, as often: cost(rank) is the service.
template <class Cost>
bool Simulation::after_all(std::uint32_t rank, double now, Instruction const& at, Doing doing, Cost cost) {
    return served_together(rank, now, pattern_.ranks, doing, [&] {
        auto end = now;
        for (std::uint64_t i = 0; i < (pattern_.files[at.file].per_rank ? pattern_.ranks : 1); ++i) {
            end = std::max(end, metadata_.serve(now, file_number(at.file, i), cost(i)));
        }
        return end;
    });
}

double Simulation::freeing_s(std::uint64_t file) const {
    auto const bytes = static_cast<double>(size_of_file(file)) - servers_.owed(file);
    return exists_.contains(file) ? std::max(0.0, bytes) / metadata_.rules().freed : 0;
}

bool Simulation::make(std::uint32_t rank, double now, Instruction const& at, Rename const& /*rename*/) {
    return after_all(rank, now, at, Doing::rename, [&](std::uint64_t i) {
        auto const from = file_number(at.file, i);
        auto const to = file_number(at.to, i);
        auto const cost = metadata_.rules().rename + freeing_s(to);
        renamed_[to] = size_of_file(from);
        exists_.erase(from);
        exists_[to] = true;
        return cost;
    });
}

bool Simulation::make(std::uint32_t rank, double now, Instruction const& at, Remove const& /*remove*/) {
    return after_all(rank, now, at, Doing::remove, [&](std::uint64_t i) {
        auto const file = file_number(at.file, i);
        auto const cost = metadata_.rules().remove + freeing_s(file);
        exists_.erase(file);
        return cost;
    });
}

bool Simulation::make(std::uint32_t /*rank*/, double /*now*/, Instruction const& /*at*/, Repeat const& /*repeat*/) {
    return true;  // unrolled
}

}  // namespace weir::sim
