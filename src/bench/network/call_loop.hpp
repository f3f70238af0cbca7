#pragma once

#include <array>
#include <functional>
#include <span>
#include <string_view>

#include "bench/network/buffers.hpp"
#include "core/clock.hpp"

namespace weir {

/// When a call starts. `imb`: as the chosen version of IMB does. `free`: one after the other, timed without a gap.
/// `barrier`: after a barrier that is not timed. `window`: on all ranks at the same moment of a common clock; a call
/// that does not begin in time is left out (Hunold, Carpen-Amarie: Reproducible MPI benchmarking is still not as easy
/// as you think, IEEE TPDS 27, 2016).
enum class Start { imb, free, barrier, window };
constexpr std::array<std::string_view, 4> enum_names(Start) { return {"imb", "free", "barrier", "window"}; }

/// The start that is meant by `imb`. Where something comes before each call that is not timed, ranks wait for each
/// other.
Start start_of(Start asked, FunctionFacts const&, Imb, Content);

/// Times calls of one function on the ranks that take part.
class CallLoop {
  public:
    struct Timing {
        Start start = Start::free;
        bool root_rotates = false;
        std::function<void(std::uint64_t call)> before{};  ///< each call that is not free, not timed
        Clock const* clock = nullptr;                      ///< for durations
        Clock const* common_clock = nullptr;               ///< for windows: equal on all ranks but for `offset_s`
        double offset_s = 0;                               ///< to add to this rank's common clock to get rank 0's
    };

    CallLoop(NetworkCall&, CallBuffers&, Communicator const& ranks, Timing);

    /// The time of so many calls on this rank.
    struct Total {
        double sum_s = 0;
        std::uint64_t calls = 0;
        [[nodiscard]] double mean_s() const { return sum_s / static_cast<double>(calls); }
    };

    /// Makes `durations_s.size()` calls; their durations on this rank, negative if one was not timed by itself. In
    /// windows of `window_s`, calls that some rank began late do not count; without a length they are free. Collective
    /// over the ranks.
    Total run(std::span<double> durations_s, double window_s = 0);

    /// From now on, free calls are timed by themselves only once in so many: reading the clock takes as long as a tenth
    /// of a short call. All calls together are timed as before.
    void time_every(std::uint64_t calls) { timed_every_ = calls; }

  private:
    Total run_as_asked(std::span<double>, double window_s);
    Total run_free(std::span<double>);
    Total run_after_barriers(std::span<double>);
    Total run_in_windows(std::span<double>, double window_s);
    void prepare(std::uint64_t call) const {
        if (timing_.before) {
            timing_.before(call);
        }
    }
    [[nodiscard]] CallPlace place(std::uint64_t call) const {
        return buffers_.place(call, timing_.root_rotates ? static_cast<int>(call % ranks_.size()) : 0);
    }

    NetworkCall& call_;
    CallBuffers& buffers_;
    Communicator ranks_;
    Timing timing_;
    std::uint64_t timed_every_ = 1;
};

}  // namespace weir
