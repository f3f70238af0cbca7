#include "array/exchange/exchange.hpp"

#include <sched.h>

#include <algorithm>

#include "array/exchange/exchange_state.hpp"
#include "array/exchange/scoped_timer.hpp"

namespace weir::array {
namespace {

/// A message's length as MPI takes it.
struct Length {
    int count;
    MPI_Datatype type;
};

Length length_of(std::uint64_t bytes, UnitType const* units) {
    return needs_units(bytes) ? Length{static_cast<int>(filled_up(bytes) / unit_bytes), units->get()}
                              : Length{static_cast<int>(bytes), MPI_BYTE};
}

}  // namespace

Window Exchange::window(AggregatorPeer const& peer, std::uint64_t round) const {
    return {plan_.region, peer.domain.window_at(round), *plan_.share, &index_};
}

Window Exchange::window(MemberPeer const& member, std::uint64_t round) const {
    return own_->window(plan_.region, round, member);
}

std::uint64_t Exchange::message_bytes(AggregatorPeer const& peer, std::uint64_t round) const {
    return peer.shares_memory() || round >= peer.windows ? 0 : window(peer, round).bytes();
}

std::uint64_t Exchange::message_bytes(MemberPeer const& member, std::uint64_t round) const {
    return member.shares_memory() || round >= own_->windows ? 0 : window(member, round).bytes();
}

template <class Peers>
void Exchange::receive(Peers& peers, MessageBuffers& buffers, std::uint64_t round, int tag, weir_times& times) {
    if (!messages_) {
        return;
    }
    auto const slot = round % plan_.slots;
    buffers.begin(round, plan_.slots);
    for (auto& peer : peers) {
        if (auto const bytes = message_bytes(peer, round); bytes > 0) {
            peer.message[slot] = buffers.take(bytes);
            auto const [count, type] = length_of(bytes, units_.get());
            plan_.group.note(MPI_Irecv(peer.message[slot], count, type, static_cast<int>(peer.rank), tag,
                                       plan_.group.handle(), &peer.request[slot]),
                             "a message cannot be received");
            ++times.messages;
        }
    }
}

template <class Peers>
void Exchange::begin_sending(Peers& peers, MessageBuffers& buffers, std::uint64_t round, weir_times& times) {
    if (!messages_) {
        return;
    }
    for (auto& peer : peers) {
        wait(peer.request[round % plan_.slots], times);
    }
    buffers.begin(round, plan_.slots);
}

template void Exchange::receive(std::vector<AggregatorPeer>&, MessageBuffers&, std::uint64_t, int, weir_times&);
template void Exchange::receive(std::vector<MemberPeer>&, MessageBuffers&, std::uint64_t, int, weir_times&);
template void Exchange::begin_sending(std::vector<AggregatorPeer>&, MessageBuffers&, std::uint64_t, weir_times&);
template void Exchange::begin_sending(std::vector<MemberPeer>&, MessageBuffers&, std::uint64_t, weir_times&);

void Exchange::send(Peer& peer, std::byte const* message, std::uint64_t bytes, std::uint64_t round, int tag,
                    weir_times& times) {
    auto const [count, type] = length_of(bytes, units_.get());
    plan_.group.note(MPI_Issend(message, count, type, static_cast<int>(peer.rank), tag, plan_.group.handle(),
                                &peer.request[round % plan_.slots]),
                     "a message cannot be sent");
    ++times.messages;
}

void Exchange::finish(weir_times& times) {
    if (writer_) {
        ScopedTimer const watch(times.wait);
        writer_->wait_until_idle();
        writer_.reset();
    }
}

void Exchange::later(std::function<void()> const& job) {
    if (writer_) {
        writer_->submit(job);
    } else {
        job();
    }
}

bool Exchange::finished() const { return !writer_ || writer_->idle(); }

void Exchange::end_of_dump(weir_times& times) {
    auto const end = [&](Peer& peer) {
        for (auto& request : peer.request) {
            wait(request, times);
        }
    };
    for (auto& peer : aggregators_) {
        end(peer);
        peer.past += peer.windows;
    }
    if (own_) {
        std::ranges::for_each(own_->members, end);
        own_->past += own_->windows;
        times.rounds += static_cast<std::int64_t>(own_->windows);
    }
}

void Exchange::wait(Counter& counter, std::uint32_t target, weir_times& times) {
    if (!counter.reached(target)) {
        ScopedTimer const watch(times.wait);
        counter.wait(target, !messages_, [this] {
            plan_.group.make_progress();
            if (messages_) {
                sched_yield();
            }
        });
    }
}

void Exchange::wait(MPI_Request& request, weir_times& times) {
    if (request != MPI_REQUEST_NULL) {
        ScopedTimer const watch(times.wait);
        plan_.group.note(MPI_Wait(&request, MPI_STATUS_IGNORE), "a message did not arrive");
    }
}

}  // namespace weir::array
