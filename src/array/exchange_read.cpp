// From the sink through the windows to the buffers.

#include "array/exchange_parts.hpp"

namespace weir::array {
namespace {

/// What is read between two wanted pieces rather than asked for twice.
constexpr std::uint64_t read_gap = std::uint64_t{64} << 10;

}  // namespace

void Exchange::read(Buffers buffers, Sink* sink, FirstFailure& failure, weir_times& times) {
    listen_as_owner(0, times);
    serve(0, sink, failure, times);
    for (std::uint64_t round = 0; round < rounds_; ++round) {
        listen_as_owner(round + 1, times);
        serve(round + 1, sink, failure, times);
        for (auto& outlet : outlets_) {
            take(outlet, round, buffers, times);
        }
    }
    end_of_dump(times);
}

void Exchange::serve(std::uint64_t round, Sink* sink, FirstFailure& failure, weir_times& times) {
    if (!own_ || round >= own_->windows) {
        return;
    }
    auto const index = own_->past + round;
    auto const slot = index % plan_.slots;
    auto* const bytes = own_->slots + slot * own_->slot_bytes;
    wait(own_->desk->slot[slot].done, own_->expected[slot], times);
    auto const filling = own_->filling(plan_.region, round);
    failure.attempt([&] {
        Stopwatch const watch(times.storage);
        for (auto const& stretch : own_->stretches(plan_.region, round, filling.full, read_gap)) {
            sink->read(stretch.position, {bytes + stretch.offset, stretch.length});
            ++times.requests;
        }
    });
    own_->expected[slot] += filling.near;
    own_->desk->served.add(1);
    begin_letters_to_owners(round, times);
    for (auto& inlet : own_->inlets) {
        auto const window = own_->window(plan_.region, round, inlet);
        auto const length = inlet.near ? 0 : window.bytes();
        if (length > 0) {
            Stopwatch const watch(times.exchange);
            auto* const letter = aggregator_letters_->take(length);
            window.slot_to_letter(bytes, letter);
            send(letter, length, inlet.rank, from_aggregator_tag, inlet.post.request[round % plan_.slots], times);
        }
    }
}

void Exchange::begin_letters_to_owners(std::uint64_t round, weir_times& times) {
    if (!messages_) {
        return;
    }
    for (auto& inlet : own_->inlets) {
        wait(inlet.post.request[round % plan_.slots], times);
    }
    aggregator_letters_->begin(round, plan_.slots);
}

void Exchange::listen_as_owner(std::uint64_t round, weir_times& times) {
    if (!messages_) {
        return;
    }
    auto const place = round % plan_.slots;
    owner_letters_->begin(round, plan_.slots);
    for (auto& outlet : outlets_) {
        if (outlet.desk != nullptr || round >= outlet.windows) {
            continue;
        }
        auto const bytes = Window(plan_.region, outlet.domain.window_at(round), *plan_.share).bytes();
        if (bytes > 0) {
            outlet.post.letter[place] = owner_letters_->take(bytes);
            receive(outlet.post.letter[place], bytes, outlet.rank, from_aggregator_tag, outlet.post.request[place],
                    times);
        }
    }
}

void Exchange::take(Outlet& outlet, std::uint64_t round, Buffers buffers, weir_times& times) {
    if (round >= outlet.windows) {
        return;
    }
    Window const window(plan_.region, outlet.domain.window_at(round), *plan_.share);
    if (window.bytes() == 0) {
        return;
    }
    auto const index = outlet.past + round;
    auto const slot = index % plan_.slots;
    if (outlet.desk != nullptr) {
        wait(outlet.desk->served, wrapped(index + 1), times);
        Stopwatch const watch(times.exchange);
        window.slot_to_buffers(outlet.slots + slot * outlet.slot_bytes, buffers, to_buffers_);
        outlet.desk->slot[slot].done.add(1);
        return;
    }
    auto const place = round % plan_.slots;
    wait(outlet.post.request[place], times);
    Stopwatch const watch(times.exchange);
    window.letter_to_buffers(outlet.post.letter[place], buffers, to_buffers_);
}

}  // namespace weir::array
