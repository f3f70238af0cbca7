// Messages between ranks.

#include <algorithm>
#include <utility>

#include "sim/simulation.hpp"

namespace weir::sim {
namespace {

/// Of a member's part; of parts by counts without a look at those of all before.
std::uint64_t bytes_of_member(InGroups const& groups, std::uint64_t member, std::uint64_t ranks) {
    if (groups.by.counts.empty() || groups.what.shape.empty()) {
        return groups.bytes_of(Rank{member}, ranks);
    }
    return rows_by_count(groups.by, member) * (weir::bytes_of(groups.what) / groups.what.shape.front());
}

/// How many of these ranks (none listed: of all) are below this one.
std::uint64_t place_among(Ranks const& ranks, std::uint64_t rank) {
    std::uint64_t below = ranks.empty() ? rank : 0;
    for (auto const& set : ranks) {
        below += rank <= set.first ? 0 : std::min(set.count, (rank - set.first + set.step - 1) / set.step);
    }
    return below;
}

}  // namespace

/// Sends a rank's messages of one step, and counts those that it receives.
void Simulation::send_all(std::uint32_t rank, Instruction const& at, double& now, Exchange& exchange) {
    auto const overhead = machine_.network.overhead * crowded_;
    auto& mine = exchange.of[rank];
    auto const part = acting(rank);
    auto const send = [&](std::uint64_t to, std::uint64_t bytes) {
        now += overhead;
        processors_s_ += overhead;
        network_.send(now, {rank, doer_of(to), bytes, at.exchange});
        ++ranks_[rank].pending;
        ++mine.count;
    };
    auto const receive = [&] {
        ++mine.expected;
        ++mine.count;
    };
    if (auto const* one = std::get_if<Send>(at.step)) {
        if (one->from.contains(Rank{part})) {
            send(one->to.first + one->from.index_of(Rank{part}) * one->to.step, one->bytes);
        }
        if (one->to.contains(Rank{part})) {
            receive();
        }
    } else if (auto const* move = std::get_if<Move>(at.step)) {
        for (auto const& other : in_common(move->what, move->by_from, part, move->by_to, pattern_.ranks)) {
            if (other.rank != part) {
                send(other.rank, other.bytes);
            }
        }
        for (auto const& other : in_common(move->what, move->by_to, part, move->by_from, pattern_.ranks)) {
            if (other.rank != part) {
                receive();
            }
        }
    } else {  // which no rank does for another
        auto const& groups = std::get<InGroups>(*at.step);
        auto const root = rank / groups.ranks_per_group * groups.ranks_per_group;
        bool const gathers = groups.kind == InGroups::Kind::gather;
        auto const last = std::min(root + groups.ranks_per_group, pattern_.ranks);
        auto const first = rank == root ? root + 1 : rank;
        for (auto member = first; member < (rank == root ? last : first + 1); ++member) {
            auto const bytes = bytes_of_member(groups, member, pattern_.ranks);
            bool const sends = gathers == (rank != root);
            if (bytes > 0 && sends) {
                send(rank == root ? member : root, bytes);
            } else if (bytes > 0) {
                receive();
            }
        }
    }
}

bool Simulation::exchange(std::uint32_t rank, double now) {
    auto& me = ranks_[rank];
    auto const number = instruction(rank).exchange;
    auto& all = exchanges_[number];
    all.of.resize(pattern_.ranks);
    auto posted = now;
    auto const mine = program_->of(acting(rank));
    auto after = me.next;
    for (; after < mine.size(); ++after) {
        auto const& at = program_->at(mine[after]);
        if (!is_exchange(*at.step) || at.exchange != number) {
            break;
        }
        send_all(rank, at, posted, all);
    }
    me.next = after - 1;
    auto const waiting = static_cast<double>(all.of[rank].arrived) * machine_.network.overhead * crowded_;
    me.ready = std::max(me.ready, posted + waiting);
    all.of[rank].there = true;
    end_exchange(rank, now);
    return false;
}

/// Ends a rank's exchange if it has all that it waits for.
void Simulation::end_exchange(std::uint32_t rank, double now) {
    auto& me = ranks_[rank];
    auto& mine = exchanges_[instruction(rank).exchange].of[rank];
    if (me.pending > 0 || mine.arrived < mine.expected) {
        return;
    }
    mine.there = false;
    auto const end = std::max(now, me.ready);
    me.ready = 0;
    if (end_step(rank, now, end, Doing::message, mine.count)) {
        agenda_.add(end, {Event::Kind::rank, rank});
    }
}

void Simulation::begin_message(double now, std::uint32_t id) {
    auto const& message = network_.at(id);
    network_.begin(now, id, exchanges_[message.exchange].of[message.from].expected > 0);
}

void Simulation::sent(Message const& message, double now) {
    auto const overhead = machine_.network.overhead * crowded_;
    processors_s_ += overhead;
    auto& of = exchanges_[message.exchange].of;
    if (of[message.to].there) {  // else its processor is busy with other things
        auto& receiver = ranks_[message.to];
        receiver.ready = std::max(receiver.ready, now) + overhead;
    }
    ++of[message.to].arrived;
    --ranks_[message.from].pending;
    tally(Doing::message).bytes += message.bytes;
    end_exchange(message.from, now);
    if (of[message.to].there) {
        end_exchange(message.to, now);
    }
}

bool Simulation::make(std::uint32_t rank, double now, Instruction const& /*at*/, Send const& /*send*/) {
    return exchange(rank, now);
}

bool Simulation::make(std::uint32_t rank, double now, Instruction const& /*at*/, Move const& /*move*/) {
    return exchange(rank, now);
}

bool Simulation::along_tree(std::uint32_t rank, double now, std::uint64_t instance, std::uint64_t member,
                            std::uint64_t members, double bytes) {
    bool const within = nodes_.size() == 1;
    auto found = trees_.find(instance);
    if (found == trees_.end()) {
        RankTree tree(members, network_.alone(within, bytes), network_.gap(within, bytes));
        found = trees_.emplace(instance, Tree{std::move(tree), Gathered(members)}).first;
    }
    auto& [tree, ranks] = found->second;
    ranks[member] = rank;
    bool goes_on = false;
    tree.join(member, now, [&](std::uint64_t ended, double at) {
        auto const other = found->second.ranks[ended];
        if (other == rank) {
            goes_on = end_step(rank, now, std::max(now, at), Doing::message);
            return;
        }
        tally(Doing::message).note(at - ranks_[other].began);
        ++ranks_[other].next;
        agenda_.add(std::max(now, at), {Event::Kind::rank, other});
    });
    if (tree.is_complete()) {
        trees_.erase(found);
    }
    return goes_on;
}

bool Simulation::make(std::uint32_t rank, double now, Instruction const& /*at*/, Broadcast const& broadcast) {
    auto const instance = std::uint64_t{program_->of(acting(rank))[ranks_[rank].next]} << 32U;
    auto const members = size_of(broadcast.ranks, pattern_.ranks);
    auto const root = place_among(broadcast.ranks, broadcast.root);
    auto const member = (place_among(broadcast.ranks, acting(rank)) + members - root) % members;
    return along_tree(rank, now, instance, member, members, static_cast<double>(broadcast.bytes));
}

bool Simulation::make(std::uint32_t rank, double now, Instruction const& /*at*/, InGroups const& messages) {
    if (messages.kind != InGroups::Kind::broadcast) {
        return exchange(rank, now);
    }
    auto const size = messages.ranks_per_group;
    auto const group = rank / size;
    auto const members = std::min(size, pattern_.ranks - group * size);
    auto const number = std::uint64_t{program_->of(acting(rank))[ranks_[rank].next]};
    return along_tree(rank, now, (number << 32U) | group, rank % size, members,
                      static_cast<double>(bytes_of_member(messages, rank, pattern_.ranks)));
}

}  // namespace weir::sim
