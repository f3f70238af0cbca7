// Steps of the engine between accesses: seeks, renames, removes, messages.

#include <algorithm>
#include <numeric>

#include "comm/collective_error.hpp"
#include "core/error.hpp"
#include "pattern/loops.hpp"
#include "pattern/operations.hpp"
#include "storage/engine/engine_state.hpp"

namespace weir {

void Engine::step(Seek const& seek, Turns const& turns, State& state) {
    if (!state.failure && contains(seek.ranks, state.acting)) {
        pointers_.seek(file_at(seek, turns),
                       seek.to + static_cast<std::uint64_t>(displacement_at(seek.advance, turns)));
        counter_.note(IoCall::seek, {0, 1, 0}, 0);
    }
}

void Engine::note_seeks(Access const& now, Rank acting) {
    std::uint64_t count = 0;
    Operations operations(now, acting);
    for (Operation operation; operations.next(operation);) {
        count += pointers_.seeks_before(now.file, operation.offset, operation.length) ? 1 : 0;
    }
    if (count > 0) {
        counter_.note(IoCall::seek, {0, count, 0}, 0);
    }
}

template <class Work>
void Engine::after_all(std::uint64_t file, State& state, Work work) {
    if (any(comm_, state.failure.has_value())) {
        return;  // files created so far stay, and are removed at the end
    }
    auto const start = clock_.now_s();
    run_together(comm_, [&] {
        if (files_[file].per_rank || comm_.is_root()) {
            work();
            counter_.note(IoCall::sync, {}, clock_.now_s() - start);
        }
    });
    created_[file] = false;
    state.ran.times.sync_s += clock_.now_s() - start;
}

void Engine::step(Rename const& rename, Turns const& turns, State& state) {
    auto const file = file_at(rename, turns);
    auto const target = target_at(rename, turns);
    after_all(file, state, [&] {
        auto const rank = Rank{comm_.rank()};
        backend_.rename(path_of(file, rank), path_of(target, rank));
    });
    stamped_as_[target] = stamped_as_[file];
    if (!times_[file].name.empty()) {
        times_[file].name = files_[target].name;
    }
}

void Engine::step(Remove const& remove, Turns const& turns, State& state) {
    auto const file = file_at(remove, turns);
    after_all(file, state, [&] { remove_file(file); });
}

/// If a phase fails after it created a file to rename, that file may be incomplete: removes it.
void Engine::remove_what_takes_no_place(Phase const& phase) {
    each_step(phase.steps, [&](Step const& step, Loops const& loops) {
        auto const* rename = std::get_if<Rename>(&step);
        if (rename == nullptr) {
            return;
        }
        for (auto const& reached : files_reached(rename->file, rename->file_advance, {}, loops)) {
            auto const file = reached.first;
            if (created_[file]) {
                std::optional<Diagnosis> ignored_too;  // the phase's own failure is reported
                keep_failure(ignored_too, [&] { remove_file(file); });
                created_[file] = false;
            }
        }
    });
}

void Engine::step(Broadcast const& broadcast, Turns const&, State& state) {
    if (!contains(broadcast.ranks, state.acting)) {
        return;
    }
    auto const& group = group_of(broadcast.ranks, state.phase);
    auto const start = clock_.now_s();
    // The root's rank in the group: the number of ranks before the one that does its part.
    auto const& reorder = state.phase.reorder;
    auto const doing = doing_rank(reorder, Rank{broadcast.root}, comm_.size()).value;
    std::uint64_t root = 0;
    for (std::uint64_t rank = 0; rank < doing; ++rank) {
        root += contains(broadcast.ranks, acting_rank(reorder, Rank{rank}, comm_.size())) ? 1U : 0U;
    }
    auto const message = state.source == nullptr ? std::span<std::byte>() : state.source->message(broadcast);
    expect(message.empty() || message.size() == broadcast.bytes, "a source gives a broadcast's bytes");
    group.broadcast(message.empty() ? buffer_->first(broadcast.bytes) : message, root);
    auto const took_s = clock_.now_s() - start;
    counter_.note_messages(1, took_s, took_s);
}

void Engine::step(Send const& send, Turns const&, State& state) {
    auto const rank = state.acting;
    auto const peer = [&](RankSet const& mine, RankSet const& others) {
        auto const acting = Rank{others.first + mine.index_of(rank) * others.step};
        return doing_rank(state.phase.reorder, acting, comm_.size()).value;
    };
    auto const to = send.from.contains(rank) ? std::optional(peer(send.from, send.to)) : std::nullopt;
    auto const from = send.to.contains(rank) ? std::optional(peer(send.to, send.from)) : std::nullopt;
    if (!to && !from) {
        return;
    }
    inbox_.resize(std::max(inbox_.size(), send.bytes));
    auto const start = clock_.now_s();
    comm_.exchange(buffer_->first(send.bytes), to, std::span(inbox_).first(send.bytes), from);
    auto const took_s = clock_.now_s() - start;
    counter_.note_messages((to ? 1U : 0U) + (from ? 1U : 0U), took_s, took_s);
}

void Engine::step(InGroups const& messages, Turns const&, State& state) {
    auto const& members = groups_.at({messages.ranks_per_group});
    auto const mine = messages.bytes_of(state.acting, comm_.size());
    auto const start = clock_.now_s();
    std::uint64_t count = 1;
    if (messages.kind == InGroups::Kind::broadcast) {
        members.broadcast(buffer_->first(mine));
    } else {
        count = exchange_in_group(messages, members, state.acting);
    }
    auto const took_s = clock_.now_s() - start;
    if (members.size() > 1 && count > 0) {
        counter_.note_messages(count, took_s, took_s);
    }
}

std::uint64_t Engine::exchange_in_group(InGroups const& messages, Communicator const& members, Rank acting) {
    std::vector<std::uint64_t> bytes{messages.bytes_of(acting, comm_.size())};
    if (members.is_root()) {
        for (std::uint64_t member = 1; member < members.size(); ++member) {
            bytes.push_back(messages.bytes_of(Rank{acting.value + member}, comm_.size()));
        }
    }
    inbox_.resize(std::max<std::size_t>(inbox_.size(), std::accumulate(bytes.begin(), bytes.end(), std::uint64_t{0})));
    std::vector<Communicator::Outgoing> outgoing;
    std::vector<Communicator::Incoming> incoming;
    auto const sends = (messages.kind == InGroups::Kind::gather) != members.is_root();
    auto target = std::span(inbox_);
    for (std::size_t i = members.is_root() ? 1 : 0; i < bytes.size(); ++i) {
        if (bytes[i] > 0 && sends) {
            outgoing.push_back({i, buffer_->first(bytes[i])});
        } else if (bytes[i] > 0) {
            incoming.push_back({i, target.first(bytes[i])});
            target = target.subspan(bytes[i]);
        }
    }
    members.exchange(outgoing, incoming);
    return outgoing.size() + incoming.size();
}

void Engine::step(Move const& move, Turns const&, State& state) {
    auto const rank = state.acting.value;
    auto const others = [&](std::optional<Partition> const& mine, std::optional<Partition> const& theirs) {
        auto found = in_common(move.what, mine, rank, theirs, comm_.size());
        std::erase_if(found, [&](Common const& one) { return one.rank == rank; });
        return found;
    };
    auto const to = others(move.by_from, move.by_to);
    auto const from = others(move.by_to, move.by_from);
    std::uint64_t bytes = 0;
    for (auto const& one : from) {
        bytes += one.bytes;
    }
    inbox_.resize(std::max(inbox_.size(), bytes));
    std::vector<Communicator::Outgoing> outgoing;
    std::vector<Communicator::Incoming> incoming;
    std::span<std::byte const> source = buffer_->bytes();
    auto target = std::span(inbox_);
    auto const doing = [&](Common const& one) {
        return doing_rank(state.phase.reorder, Rank{one.rank}, comm_.size()).value;
    };
    for (auto const& one : to) {
        outgoing.push_back({doing(one), source.first(one.bytes)});
        source = source.subspan(one.bytes);
    }
    for (auto const& one : from) {
        incoming.push_back({doing(one), target.first(one.bytes)});
        target = target.subspan(one.bytes);
    }
    auto const start = clock_.now_s();
    comm_.exchange(outgoing, incoming);
    auto const took_s = clock_.now_s() - start;
    counter_.note_messages(to.size() + from.size(), took_s, took_s);
}

}  // namespace weir
