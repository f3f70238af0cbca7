#include "bench/network/call_loop.hpp"

#include <algorithm>
#include <vector>

namespace weir {
namespace {

constexpr double not_timed = -1;

}  // namespace

Start start_of(Start asked, FunctionFacts const& facts, Imb imb, Content content) {
    if (asked != Start::imb) {
        return asked;
    }
    auto const together = facts.traffic == Traffic::collective && facts.starts_together && imb == Imb::v2021;
    return together || content == Content::fresh ? Start::barrier : Start::free;
}

CallLoop::CallLoop(NetworkCall& call, CallBuffers& buffers, Communicator const& ranks, Timing timing)
    : call_(call), buffers_(buffers), ranks_(ranks), timing_(timing) {}

CallLoop::Total CallLoop::run(std::span<double> durations_s, double window_s) {
    // Two, as IMB: ranks leave the first one at different times, the second more evenly.
    ranks_.barrier();
    ranks_.barrier();
    auto const total = run_as_asked(durations_s, window_s);
    buffers_.go_on(durations_s.size());
    return total;
}

CallLoop::Total CallLoop::run_as_asked(std::span<double> durations_s, double window_s) {
    switch (timing_.start) {
        case Start::window:
            return window_s > 0 ? run_in_windows(durations_s, window_s) : run_free(durations_s);
        case Start::barrier:
            return run_after_barriers(durations_s);
        default:
            return run_free(durations_s);
    }
}

/// The end of a timed call is the start of the next, if that is timed too: one reading a call.
CallLoop::Total CallLoop::run_free(std::span<double> durations_s) {
    auto const& clock = *timing_.clock;
    auto const calls = durations_s.size();
    std::ranges::fill(durations_s, not_timed);
    auto const first_s = clock.now_s();
    auto last_s = first_s;
    for (std::size_t i = 0; i < calls;) {
        auto const next = std::min<std::size_t>(i + timed_every_, calls);
        call_.call(place(i));
        auto const now_s = clock.now_s();
        durations_s[i] = now_s - last_s;
        last_s = now_s;
        if (++i < next) {
            for (; i < next; ++i) {
                call_.call(place(i));
            }
            last_s = clock.now_s();
        }
    }
    return {last_s - first_s, calls};
}

CallLoop::Total CallLoop::run_after_barriers(std::span<double> durations_s) {
    auto const& clock = *timing_.clock;
    MPI_Comm const comm = ranks_.handle();
    std::uint64_t number = 0;
    Total total{0, durations_s.size()};
    for (auto& duration_s : durations_s) {
        prepare(number);
        auto const here = place(number++);
        auto const from_s = clock.now_s();
        call_.call(here);
        duration_s = clock.now_s() - from_s;
        total.sum_s += duration_s;
        ranks_.note(MPI_Barrier(comm), "ranks cannot wait for each other");
    }
    return total;
}

CallLoop::Total CallLoop::run_in_windows(std::span<double> durations_s, double window_s) {
    auto const& clock = *timing_.clock;
    auto const now_s = [&] { return timing_.common_clock->now_s() + timing_.offset_s; };
    auto const first_s = ranks_.max(now_s()) + window_s;
    std::vector<std::uint64_t> late(durations_s.size());
    for (std::size_t i = 0; i < durations_s.size(); ++i) {
        prepare(i);
        auto const here = place(i);
        auto const start_s = first_s + static_cast<double>(i) * window_s;
        late[i] = now_s() > start_s ? 1 : 0;
        while (now_s() < start_s) {
        }
        auto const from_s = clock.now_s();
        call_.call(here);
        durations_s[i] = clock.now_s() - from_s;
    }
    ranks_.max(std::span(late));
    Total total;
    for (std::size_t i = 0; i < durations_s.size(); ++i) {
        if (late[i] != 0) {
            durations_s[i] = not_timed;
        } else {
            total = {total.sum_s + durations_s[i], total.calls + 1};
        }
    }
    return total;
}

}  // namespace weir
