// From the buffers through the windows to the sink.

#include <exception>

#include "array/exchange_parts.hpp"

namespace weir::array {

void Exchange::write(Buffers buffers, Sink* sink, bool behind, FirstFailure& failure, weir_times& times) {
    if (behind && own_) {
        try {
            writer_ = std::make_unique<Writer>();
        } catch (std::exception const&) {
            // No thread can be had: then this rank writes by itself, while others wait for its slots.
        }
    }
    for (std::uint64_t round = 0; round < rounds_; ++round) {
        listen_as_aggregator(round, times);
        begin_letters_to_aggregators(round, times);
        for (auto& outlet : outlets_) {
            put(outlet, round, buffers, times);
        }
        collect(round, sink, failure, times);
    }
    end_of_dump(times);
    if (!behind) {
        finish(times);
    }
}

void Exchange::put(Outlet& outlet, std::uint64_t round, Buffers buffers, weir_times& times) {
    if (round >= outlet.windows) {
        return;
    }
    Window const window(plan_.region, outlet.domain.window_at(round), *plan_.share);
    auto const bytes = window.bytes();
    if (bytes == 0) {
        return;
    }
    auto const index = outlet.past + round;
    auto const slot = index % plan_.slots;
    if (outlet.desk != nullptr) {
        wait(outlet.desk->served, wrapped(index + 1 - plan_.slots), times);
        Stopwatch const watch(times.exchange);
        window.buffers_to_slot(buffers, outlet.slots + slot * outlet.slot_bytes);
        outlet.desk->slot[slot].done.add(1);
        return;
    }
    auto const place = round % plan_.slots;
    Stopwatch const watch(times.exchange);
    auto* const letter = owner_letters_->take(bytes);
    window.buffers_to_letter(buffers, letter);
    send(letter, bytes, outlet.rank, to_aggregator_tag, outlet.post.request[place], times);
}

void Exchange::begin_letters_to_aggregators(std::uint64_t round, weir_times& times) {
    if (!messages_) {
        return;
    }
    for (auto& outlet : outlets_) {
        wait(outlet.post.request[round % plan_.slots], times);
    }
    owner_letters_->begin(round, plan_.slots);
}

void Exchange::listen_as_aggregator(std::uint64_t round, weir_times& times) {
    if (!messages_ || !own_ || round >= own_->windows) {
        return;
    }
    auto const place = round % plan_.slots;
    aggregator_letters_->begin(round, plan_.slots);
    for (auto& inlet : own_->inlets) {
        auto const bytes = inlet.near ? 0 : own_->window(plan_.region, round, inlet).bytes();
        if (bytes > 0) {
            inlet.post.letter[place] = aggregator_letters_->take(bytes);
            receive(inlet.post.letter[place], bytes, inlet.rank, to_aggregator_tag, inlet.post.request[place], times);
        }
    }
}

void Exchange::collect(std::uint64_t round, Sink* sink, FirstFailure& failure, weir_times& times) {
    if (!own_ || round >= own_->windows) {
        return;
    }
    auto const index = own_->past + round;
    auto const slot = index % plan_.slots;
    auto* const bytes = own_->slots + slot * own_->slot_bytes;
    wait(own_->desk->served, wrapped(index + 1 - plan_.slots), times);
    for (auto& inlet : own_->inlets) {
        auto const place = round % plan_.slots;
        if (inlet.post.request[place] != MPI_REQUEST_NULL) {
            wait(inlet.post.request[place], times);
            Stopwatch const watch(times.exchange);
            own_->window(plan_.region, round, inlet).letter_to_slot(inlet.post.letter[place], bytes);
        }
    }
    auto const filling = own_->filling(plan_.region, round);
    own_->expected[slot] += filling.near;
    wait(own_->desk->slot[slot].done, own_->expected[slot], times);
    auto const job = [this, round, full = filling.full, bytes, sink, &failure, &times] {
        failure.attempt([&] {
            Stopwatch const watch(times.storage);
            for (auto const& stretch : own_->stretches(plan_.region, round, full, 0)) {
                sink->write(stretch.position, {bytes + stretch.offset, stretch.length});
                ++times.requests;
            }
        });
        own_->desk->served.add(1);
    };
    if (writer_) {
        writer_->submit(job);
    } else {
        job();
    }
}

}  // namespace weir::array
