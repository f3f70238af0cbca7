#include "array/exchange.hpp"

#include <sched.h>

#include "array/exchange_parts.hpp"

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

void Exchange::send(std::byte const* letter, std::uint64_t bytes, std::uint64_t to, int tag, MPI_Request& request,
                    weir_times& times) {
    auto const [count, type] = length_of(bytes, units_.get());
    plan_.team.note(MPI_Issend(letter, count, type, static_cast<int>(to), tag, plan_.team.handle(), &request),
                    "a message cannot be sent");
    ++times.messages;
}

void Exchange::receive(std::byte* letter, std::uint64_t bytes, std::uint64_t from, int tag, MPI_Request& request,
                       weir_times& times) {
    auto const [count, type] = length_of(bytes, units_.get());
    plan_.team.note(MPI_Irecv(letter, count, type, static_cast<int>(from), tag, plan_.team.handle(), &request),
                    "a message cannot be received");
    ++times.messages;
}

void Exchange::finish(weir_times& times) {
    if (writer_) {
        Stopwatch const watch(times.wait);
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
    for (auto& outlet : outlets_) {
        wait(outlet.post, times);
        outlet.past += outlet.windows;
    }
    if (own_) {
        for (auto& inlet : own_->inlets) {
            wait(inlet.post, times);
        }
        own_->past += own_->windows;
        times.rounds += static_cast<std::int64_t>(own_->windows);
    }
}

void Exchange::wait(Counter& counter, std::uint32_t target, weir_times& times) {
    if (counter.reached(target)) {
        return;
    }
    Stopwatch const watch(times.wait);
    auto const progress = [this] {
        int there = 0;
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, plan_.team.handle(), &there, MPI_STATUS_IGNORE);
    };
    if (!messages_) {
        while (!counter.wait_a_while(target)) {
            progress();
        }
        return;
    }
    counter.wait(target, [&] {
        progress();
        sched_yield();
    });
}

void Exchange::wait(MPI_Request& request, weir_times& times) {
    if (request != MPI_REQUEST_NULL) {
        Stopwatch const watch(times.wait);
        plan_.team.note(MPI_Wait(&request, MPI_STATUS_IGNORE), "a message did not arrive");
    }
}

void Exchange::wait(Post& post, weir_times& times) {
    for (auto& request : post.request) {
        wait(request, times);
    }
}

}  // namespace weir::array
