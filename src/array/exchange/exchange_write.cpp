// From the buffers through the windows to the sink.

#include <exception>

#include "array/exchange/exchange_state.hpp"
#include "array/exchange/scoped_timer.hpp"

namespace weir::array {

void Exchange::write(Buffers buffers, Sink* sink, bool behind, FirstFailure& failure, weir_times& times) {
    if (behind && own_) {
        try {
            writer_ = std::make_unique<BackgroundWriter>();
        } catch (std::exception const&) {
            // Without a thread this rank writes synchronously, while others wait for its slots.
        }
    }
    for (std::uint64_t round = 0; round < rounds_; ++round) {
        if (own_ && round < own_->windows) {
            receive(own_->members, *aggregator_messages_, round, to_aggregator_tag, times);
        }
        begin_sending(aggregators_, *owner_messages_, round, times);
        for (auto& peer : aggregators_) {
            put(peer, round, buffers, times);
        }
        collect(round, sink, failure, times);
    }
    end_of_dump(times);
    if (!behind) {
        finish(times);
    }
}

void Exchange::put(AggregatorPeer& peer, std::uint64_t round, Buffers buffers, weir_times& times) {
    if (round >= peer.windows) {
        return;
    }
    auto const share = window(peer, round);
    auto const bytes = share.bytes();
    if (bytes == 0) {
        return;
    }
    if (peer.shares_memory()) {
        auto const slot = peer.index(round) % plan_.slots;
        wait(peer.control->served, wrapped(peer.index(round) + 1 - plan_.slots), times);
        ScopedTimer const watch(times.exchange);
        share.buffers_to_slot(buffers, peer.slot(slot));
        peer.control->slot[slot].done.add(1);
        return;
    }
    ScopedTimer const watch(times.exchange);
    auto* const message = owner_messages_->take(bytes);
    share.buffers_to_message(buffers, message);
    send(peer, message, bytes, round, to_aggregator_tag, times);
}

void Exchange::collect(std::uint64_t round, Sink* sink, FirstFailure& failure, weir_times& times) {
    if (!own_ || round >= own_->windows) {
        return;
    }
    auto const slot = own_->index(round) % plan_.slots;
    auto* const bytes = own_->slot(slot);
    wait(own_->control->served, wrapped(own_->index(round) + 1 - plan_.slots), times);
    for (auto& member : own_->members) {
        auto const place = round % plan_.slots;
        if (member.request[place] != MPI_REQUEST_NULL) {
            wait(member.request[place], times);
            ScopedTimer const watch(times.exchange);
            window(member, round).message_to_slot(member.message[place], bytes);
        }
    }
    auto const filling = own_->filling(plan_.region, round);
    own_->expected[slot] += filling.same_node;
    wait(own_->control->slot[slot].done, own_->expected[slot], times);
    auto const job = [this, round, full = filling.full, bytes, sink, &failure, &times] {
        failure.attempt([&] {
            ScopedTimer const watch(times.storage);
            bool const plain = !plan_.holes || !(plan_.holes->all() || sink->keeps());
            auto const extents = full    ? all_of(plan_.region, own_->domain.window_at(round))
                                 : plain ? own_->held(plan_.region, round)
                                         : own_->with_holes(plan_.region, round, *plan_.holes, *sink, bytes);
            for (auto const& extent : extents) {
                sink->write(extent.position, {bytes + extent.offset, extent.length});
                ++times.requests;
            }
        });
        own_->control->served.add(1);
    };
    if (writer_) {
        writer_->submit(job);
    } else {
        job();  // not by later(), which allocates
    }
}

}  // namespace weir::array
