#include "sim/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

#include "core/error.hpp"
#include "sim/alike_phases.hpp"

namespace weir::sim {
namespace {

std::uint64_t nodes_for(std::uint64_t ranks, std::uint64_t each) { return (ranks + each - 1) / each; }

/// Refuses what cannot be followed.
void check(Machine const& machine, Pattern const& pattern, std::uint64_t ranks_per_node) {
    auto const needed = nodes_for(pattern.ranks, ranks_per_node);
    validate(needed <= machine.nodes.count,
             fmt::format("{} has too few nodes for {} ranks", machine.name, pattern.ranks),
             fmt::format("it has {}, and {} ranks on each need {}", machine.nodes.count, ranks_per_node, needed),
             fmt::format("Give at most {} ranks, or more ranks a node.", machine.nodes.count * ranks_per_node));
    validate(pattern.ranks < (std::uint64_t{1} << 31), "too many ranks", "2^31 at most can be simulated",
             "Give fewer.");
    for (auto const& phase : pattern.phases) {
        validate(phase.limited_by.empty() && !phase.wear_out, fmt::format("phase '{}' cannot be simulated", phase.name),
                 "its requests are limited by what another phase or rank does in its time",
                 "Simulate a pattern without limited_by and wear_out.");
    }
}

template <class Queues>
BusyTimes busy_of(std::string_view name, Queues const& queues, double until) {
    BusyTimes times{name, {}};
    std::transform(std::begin(queues), std::end(queues), std::back_inserter(times.seconds),
                   [&](ServiceQueue const& queue) { return queue.busy_s(until); });
    return times;
}

/// What was in use between two times.
std::vector<ResourceUse> difference(std::vector<BusyTimes> const& after, std::vector<BusyTimes> const& before) {
    std::vector<ResourceUse> uses;
    for (std::size_t i = 0; i < after.size(); ++i) {
        auto const& [name, seconds] = after[i];
        ResourceUse use{name, seconds.size()};
        for (std::size_t k = 0; k < seconds.size(); ++k) {
            auto const busy = seconds[k] - (k < before[i].seconds.size() ? before[i].seconds[k] : 0);
            use.busy_s += busy;
            use.busiest_s = std::max(use.busiest_s, busy);
        }
        if (use.busy_s > 0) {
            uses.push_back(use);
        }
    }
    return uses;
}

std::vector<ResourceUse> sum_of(std::vector<PhaseOutcome> const& phases) {
    std::vector<ResourceUse> sum;
    for (auto const& phase : phases) {
        for (auto const& use : phase.resources) {
            auto const found =
                std::find_if(sum.begin(), sum.end(), [&](auto const& one) { return one.name == use.name; });
            auto& one = found == sum.end() ? sum.emplace_back(ResourceUse{use.name, use.count}) : *found;
            one.count = std::max(one.count, use.count);
            one.busy_s += use.busy_s;
            one.busiest_s += use.busiest_s;
        }
    }
    return sum;
}

bool reads(Phase const& phase) {
    bool any = false;
    each_access(phase.steps, [&](Access const& access, Loops const&) { any = any || access.verb != Verb::write; });
    return any;
}

/// Does nothing go on between phases, so that one begins like another? What is kept for reading matters to those that
/// read.
bool is_quiet_before(Machine const& machine, Phase const& phase) {
    auto const& storage = machine.storage;
    return storage.cache + storage.targets.cache == 0 && storage.gather == 0 &&
           (!reads(phase) || storage.read_cache + storage.targets.read_cache == 0);
}

/// The outcome of all phases from that of the different ones.
Outcome repeated(Outcome const& once, Pattern const& pattern, std::vector<std::size_t> const& alike) {
    auto outcome = once;
    outcome.phases.clear();
    outcome.time_s = 0;
    std::map<std::size_t, std::size_t> place;  // of a phase among the different ones
    for (std::size_t i = 0; i < alike.size(); ++i) {
        place.try_emplace(alike[i], place.size());
        auto& phase = outcome.phases.emplace_back(once.phases[place.at(alike[i])]);
        phase.name = pattern.phases[i].name;
        outcome.time_s += phase.time_s;
    }
    outcome.resources = sum_of(outcome.phases);
    return outcome;
}

Machine as_used(Machine machine, Use const& use) {
    auto& storage = machine.storage;
    storage.stripes = use.stripes == 0 ? storage.stripes : use.stripes;
    // Another stripe of a file is none of the arrays below it.
    storage.array_stripe = use.stripe == 0 ? storage.stripe : std::min(storage.stripe, use.stripe);
    storage.stripe = use.stripe == 0 ? storage.stripe : use.stripe;
    storage.aggregators = use.aggregators == 0 ? storage.aggregators : use.aggregators;
    validate(storage.stripes <= storage.targets.count,
             fmt::format("{} has too few targets for {} stripes", machine.name, storage.stripes),
             fmt::format("it has {}", storage.targets.count), "Give fewer stripes.");
    return machine;
}

std::uint64_t processors_of(Nodes const& nodes) { return nodes.processors == 0 ? nodes.ranks : nodes.processors; }

}  // namespace

Simulation::Simulation(Machine const& machine, Pattern const& pattern, Use const& use)
    : machine_(as_used(machine, use)),
      use_(use),
      pattern_(pattern),
      ranks_per_node_(use.ranks_per_node == 0 ? machine.nodes.ranks : use.ranks_per_node),
      crowded_(std::max(1.0, static_cast<double>(std::min(ranks_per_node_, pattern.ranks)) /
                                 static_cast<double>(processors_of(machine.nodes)))),
      network_(machine_, nodes_for(pattern.ranks, ranks_per_node_), ranks_per_node_, agenda_),
      servers_(machine_.storage),
      metadata_(machine_.storage.metadata),
      locks_(machine_.storage.locks),
      nodes_(nodes_for(pattern.ranks, ranks_per_node_)),
      ranks_(pattern.ranks),
      gathering_(machine_.storage.gather),
      sizes_(file_sizes(pattern)) {
    check(machine_, pattern, ranks_per_node_);
}

std::uint64_t Simulation::file_number(std::uint64_t file, std::uint64_t rank) const {
    return pattern_.files[file].per_rank ? pattern_.files.size() + file * pattern_.ranks + rank : file;
}

Striping Simulation::striping(std::uint64_t file) const {
    auto const& storage = machine_.storage;
    return striping_of(file, storage.stripe, storage.stripes, storage.targets.count);
}

std::uint64_t Simulation::size_of_file(std::uint64_t file) const {
    auto const renamed = renamed_.find(file);
    auto const index = file < sizes_.size() ? file : (file - sizes_.size()) / pattern_.ranks;
    return renamed == renamed_.end() ? sizes_[index] : renamed->second;
}

bool Simulation::is_kept(std::uint64_t file) const {
    auto const& storage = machine_.storage;
    auto const each = static_cast<double>(size_of_file(file)) / static_cast<double>(storage.stripes);
    return each <= storage.targets.read_cache;
}

std::uint64_t Simulation::acting(std::uint32_t rank) const {
    return acting_rank(phase_->reorder, Rank{rank}, pattern_.ranks).value;
}

std::uint32_t Simulation::doer_of(std::uint64_t rank) const {
    return static_cast<std::uint32_t>(doing_rank(phase_->reorder, Rank{rank}, pattern_.ranks).value);
}

Instruction const& Simulation::instruction(std::uint32_t rank) const {
    return program_->at(program_->of(acting(rank))[ranks_[rank].next]);
}

Outcome Simulation::run() {
    Outcome outcome;
    bool const seek = std::any_of(pattern_.phases.begin(), pattern_.phases.end(), [](auto const& phase) {
        bool any = false;
        each_access(phase.steps, [&](Access const& access, Loops const&) { any = any || access.seeks; });
        return any;
    });
    pointers_.resize(seek ? pattern_.ranks : 0);
    for (auto const& phase : pattern_.phases) {
        run_phase(phase, outcome.phases.emplace_back());
    }
    outcome.nodes = nodes_.size();
    outcome.events = events_;
    outcome.time_s = phase_ended_;
    outcome.resources = sum_of(outcome.phases);
    return outcome;
}

void Simulation::run_phase(Phase const& phase, PhaseOutcome& outcome) {
    PhaseProgram program(pattern_, phase, openers_);
    phase_ = &phase;
    program_ = &program;
    outcome_ = &outcome;
    outcome.name = phase.name;
    outcome.timed = phase.timed;
    phase_began_ = phase_ended_;
    gathered_.clear();
    trees_.clear();
    exchanges_.assign(program.exchanges(), {});
    collectives_.clear();
    if (use_.drops_caches && reads(phase)) {
        drop_caches(phase);
    }
    auto const before = busy(phase_began_);
    auto const computed_before_s = processors_s_;
    if (is_same_for_all(program)) {
        finish();
        run_for_all(program);
    } else {
        program.list_ranks();
        run_each(program);
    }
    if (&phase == &pattern_.phases.back()) {
        finish();
    }
    outcome.resources = difference(busy(phase_ended_), before);
    if (auto const computed_s = processors_s_ - computed_before_s; computed_s > 0) {
        auto const ranks = ranks_.size();
        outcome.resources.push_back({"processors", ranks, computed_s, computed_s / static_cast<double>(ranks)});
    }
    outcome.time_s = phase_ended_ - phase_began_;
    outcome.bytes_written = outcome.operations[static_cast<std::size_t>(Doing::write)].bytes;
    outcome.bytes_read = outcome.operations[static_cast<std::size_t>(Doing::read)].bytes;
}

void Simulation::drop_caches(Phase const& phase) {
    for (auto& node : nodes_) {
        node.cache = {};  // each phase drops what it reads, so what others find does not matter
    }
    each_access(phase.steps, [&](Access const& access, Loops const& loops) {
        if (access.verb == Verb::write) {
            return;
        }
        for (auto const& [file, ignored] : files_reached(access.file, access.file_advance, {}, loops)) {
            auto const each = pattern_.files[file].per_rank ? pattern_.ranks : 1;
            for (std::uint64_t rank = 0; rank < each; ++rank) {
                servers_.forget(file_number(file, rank));
            }
        }
    });
}

void Simulation::run_each(PhaseProgram const& program) {
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
        ranks_[rank].next = 0;
        ranks_[rank].ready = 0;
        agenda_.add(phase_began_, {Event::Kind::rank, rank});
    }
    running_ = ranks_.size();
    while (running_ > 0 && take_next()) {
    }
    for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank) {
        expect(ranks_[rank].next == program.of(acting(rank)).size(), "every rank has come to its phase's end");
    }
}

/// Deals with what happens next; false if nothing does.
bool Simulation::take_next() {
    auto const event = agenda_.empty() ? std::numeric_limits<double>::infinity() : agenda_.next();
    // What happens at the same time comes before rates are computed.
    auto const flow = network_.changes_at(event) ? std::numeric_limits<double>::infinity() : network_.next();
    if (std::min(flow, event) == std::numeric_limits<double>::infinity()) {
        return false;
    }
    ++events_;
    if (flow < event) {
        sent(network_.take(), flow);
    } else {
        handle(event, agenda_.take());
    }
    return true;
}

/// Brings to its end what ranks have left behind: requests of write-behind.
void Simulation::finish() {
    while (take_next()) {
    }
}

void Simulation::handle(double now, Event event) {
    switch (event.kind) {
        case Event::Kind::rank:
            return go_on(event.who, now);
        case Event::Kind::arrived:
            return arrived(event.who, now);
        case Event::Kind::routed:
            return routed(event.who, now);
        case Event::Kind::returned:
            return returned(event.who, now);
        case Event::Kind::locked:
            return write(event.who, now);
        case Event::Kind::read:
            return has_read(event.who, now);
        case Event::Kind::done:
            return done(event.who, now);
        case Event::Kind::round:
            return move_round(event.who, now);
        case Event::Kind::message:
            return begin_message(now, event.who);
    }
}

void Simulation::go_on(std::uint32_t rank, double now) {
    auto& me = ranks_[rank];
    for (;;) {
        if (me.work) {
            if (!next_operation(rank, now)) {
                return;
            }
            me.work.reset();
            ++me.next;
        }
        if (me.next == program_->of(acting(rank)).size()) {
            if (me.asynchronous > 0) {
                me.waits = true;  // the end of a phase completes them
                return;
            }
            phase_ended_ = std::max(phase_ended_, now);
            --running_;
            gathering_.take_all(rank,
                                [&](std::uint64_t file, Together bytes) { send_gathered(rank, file, bytes, now); });
            return;
        }
        if (!begin_step(rank, now)) {
            return;
        }
    }
}

std::vector<BusyTimes> Simulation::busy(double until) const {
    BusyTimes to_storage{"node links to storage", {}}, from_storage{"node links from storage", {}},
        copies{"copies to caches", {}};
    for (auto const& node : nodes_) {
        to_storage.seconds.push_back(node.out.busy_s(until));
        from_storage.seconds.push_back(node.in.busy_s(until));
        copies.seconds.push_back(node.memory.busy_s(until));
    }
    return {
        busy_of("targets", servers_.targets(), until),
        busy_of("servers receiving", servers_.links_in(), until),
        busy_of("servers sending", servers_.links_out(), until),
        busy_of("routers", std::array{routers_}, until),
        std::move(to_storage),
        std::move(from_storage),
        busy_of("metadata servers", metadata_.servers(), until),
        busy_of("closes at metadata servers", metadata_.closes(), until),
        {"locks", locks_.busy_s()},
        std::move(copies),
        {"message links", network_.node_links()},
        {"bisection", network_.bisection()},
        {"messages within nodes", network_.memories()},
    };
}

Outcome simulate(Machine const& machine, Pattern const& pattern, Use const& use) {
    bool const locks = machine.storage.locks.unit != LockUnit::none;
    auto alike = alike_phases(pattern, locks);
    for (std::size_t i = 0; i < alike.size(); ++i) {
        alike[i] = is_quiet_before(machine, pattern.phases[i]) ? alike[i] : i;
    }
    keep_makers(pattern, alike, locks);
    auto const once = without_repetitions(pattern, alike);
    auto const found = Simulation(machine, once, use).run();
    return repeated(found, pattern, alike);
}

}  // namespace weir::sim
