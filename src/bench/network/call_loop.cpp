#include "bench/network/call_loop.hpp"

#include <vector>

namespace weir {

Start start_of(Start asked, FunctionFacts const& facts, Imb imb) {
    if (asked != Start::imb) {
        return asked;
    }
    auto const together = facts.traffic == Traffic::collective && facts.starts_together && imb == Imb::v2021;
    return together ? Start::barrier : Start::free;
}

CallLoop::CallLoop(NetworkCall& call, CallBuffers const& buffers, Communicator const& ranks, Timing timing)
    : call_(call), buffers_(buffers), ranks_(ranks), timing_(timing) {}

void CallLoop::run(std::span<double> durations_s, double window_s) {
    // Two, as IMB: ranks leave the first one at different times, the second more evenly.
    ranks_.barrier();
    ranks_.barrier();
    switch (timing_.start) {
        case Start::window:
            return run_in_windows(durations_s, window_s);
        case Start::barrier:
            return run_after_barriers(durations_s);
        default:
            return run_free(durations_s);
    }
}

/// One reading a call: the end of a call is the start of the next.
void CallLoop::run_free(std::span<double> durations_s) {
    auto const& clock = *timing_.clock;
    std::uint64_t number = 0;
    auto last_s = clock.now_s();
    for (auto& duration_s : durations_s) {
        call_.call(place(number++));
        auto const now_s = clock.now_s();
        duration_s = now_s - last_s;
        last_s = now_s;
    }
}

void CallLoop::run_after_barriers(std::span<double> durations_s) {
    auto const& clock = *timing_.clock;
    MPI_Comm const comm = ranks_.handle();
    std::uint64_t number = 0;
    for (auto& duration_s : durations_s) {
        auto const here = place(number++);
        auto const from_s = clock.now_s();
        call_.call(here);
        duration_s = clock.now_s() - from_s;
        ranks_.note(MPI_Barrier(comm), "ranks cannot wait for each other");
    }
}

void CallLoop::run_in_windows(std::span<double> durations_s, double window_s) {
    auto const& clock = *timing_.clock;
    auto const now_s = [&] { return timing_.common_clock->now_s() + timing_.offset_s; };
    auto const first_s = ranks_.max(now_s()) + window_s;
    std::vector<std::uint64_t> late(durations_s.size());
    for (std::size_t i = 0; i < durations_s.size(); ++i) {
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
    for (std::size_t i = 0; i < durations_s.size(); ++i) {
        durations_s[i] = late[i] != 0 ? -1 : durations_s[i];
    }
}

}  // namespace weir
