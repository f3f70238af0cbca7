// From the sink through the windows to the buffers.

#include "array/exchange/exchange_state.hpp"
#include "array/exchange/scoped_timer.hpp"

namespace weir::array {
namespace {

/// Gaps up to this are read and dropped (data sieving); longer ones split the request.
constexpr std::uint64_t read_gap = std::uint64_t{64} << 10;

}  // namespace

void Exchange::read(Buffers buffers, Sink* sink, FirstFailure& failure, weir_times& times) {
    receive(aggregators_, *owner_messages_, 0, from_aggregator_tag, times);
    serve(0, sink, failure, times);
    for (std::uint64_t round = 0; round < rounds_; ++round) {
        receive(aggregators_, *owner_messages_, round + 1, from_aggregator_tag, times);
        serve(round + 1, sink, failure, times);
        for (auto& peer : aggregators_) {
            take(peer, round, buffers, times);
        }
    }
    end_of_dump(times);
}

void Exchange::serve(std::uint64_t round, Sink* sink, FirstFailure& failure, weir_times& times) {
    if (!own_ || round >= own_->windows) {
        return;
    }
    auto const slot = own_->index(round) % plan_.slots;
    auto* const bytes = own_->slot(slot);
    wait(own_->control->slot[slot].done, own_->expected[slot], times);
    auto const filling = own_->filling(plan_.region, round);
    failure.attempt([&] {
        ScopedTimer const watch(times.storage);
        auto const extents = filling.full || plan_.read_all ? all_of(plan_.region, own_->domain.window_at(round))
                                                            : joined(own_->held(plan_.region, round), read_gap);
        for (auto const& extent : extents) {
            sink->read(extent.position, {bytes + extent.offset, extent.length});
            ++times.requests;
        }
    });
    own_->expected[slot] += filling.same_node;
    own_->control->served.add(1);
    begin_sending(own_->members, *aggregator_messages_, round, times);
    for (auto& member : own_->members) {
        if (auto const length = message_bytes(member, round); length > 0) {
            ScopedTimer const watch(times.exchange);
            auto* const message = aggregator_messages_->take(length);
            window(member, round).slot_to_message(bytes, message);
            send(member, message, length, round, from_aggregator_tag, times);
        }
    }
}

void Exchange::take(AggregatorPeer& peer, std::uint64_t round, Buffers buffers, weir_times& times) {
    if (round >= peer.windows) {
        return;
    }
    auto const share = window(peer, round);
    if (share.bytes() == 0) {
        return;
    }
    if (peer.shares_memory()) {
        auto const slot = peer.index(round) % plan_.slots;
        wait(peer.control->served, wrapped(peer.index(round) + 1), times);
        ScopedTimer const watch(times.exchange);
        share.slot_to_buffers(peer.slot(slot), buffers, to_buffers_);
        peer.control->slot[slot].done.add(1);
        return;
    }
    wait(peer.request[round % plan_.slots], times);
    ScopedTimer const watch(times.exchange);
    share.message_to_buffers(peer.message[round % plan_.slots], buffers, to_buffers_);
}

}  // namespace weir::array
