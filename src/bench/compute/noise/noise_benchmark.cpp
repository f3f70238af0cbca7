// The benchmark `noise`: how much of the processors' time other work takes from a rank that computes.
//
// Work model: each rank reads its clock without pause for `duration`. Two readings that are further apart than
// `detour_s` have something else between them: the operating system, another process, the hypervisor (the "selfish
// detour" of P. Beckman et al., The Influence of Operating Systems on the Performance of Collective Operations at
// Extreme Scale, Cluster 2006). The time between them is lost.

#include <algorithm>

#include "bench/compute/linear/test_sample.hpp"
#include "bench/measure.hpp"
#include "comm/collective_error.hpp"
#include "core/fast_clock.hpp"
#include "core/interrupt.hpp"
#include "core/json.hpp"
#include "core/proc.hpp"

namespace weir {
namespace {

constexpr double detour_s = 1e-6;

struct LostTime {
    double lost_s = 0;
    double longest_s = 0;
    double elapsed_s = 0;
    std::uint64_t detours = 0;
};

LostTime watch_clock(Clock const& clock, double duration_s) {
    LostTime found;
    auto const from_s = clock.now_s();
    for (auto last_s = from_s; last_s - from_s < duration_s && !stop_requested.load(std::memory_order_relaxed);) {
        auto const now_s = clock.now_s();
        auto const gap_s = now_s - last_s;
        if (gap_s > detour_s) {
            found.lost_s += gap_s;
            found.longest_s = std::max(found.longest_s, gap_s);
            ++found.detours;
        }
        last_s = now_s;
    }
    found.elapsed_s = clock.now_s() - from_s;
    return found;
}

class NoiseJob final : public Job {
  public:
    static constexpr BenchmarkFacts facts{.name = "noise",
                                          .summary = "the processors' time that other work takes from the ranks"};

    void declare(OptionSet& options) override {
        options.group("measuring");
        options.add("duration", duration_, "how long each rank watches", {1e-4, 3600.0});
        repetitions_.declare(options);
    }

    [[nodiscard]] Json describe(std::uint64_t /*ranks*/) override { return describe_without_files(0); }

    void run(JobContext& context) override {
        repetitions_.each(context.clock, [&](Turn const& turn) { watch_once(context, turn); });
    }

  private:
    void watch_once(JobContext& context, Turn const& turn) const {
        auto const& comm = context.comm;
        auto const started = utc_time();
        run_together(comm, [] { throw_if_interrupted(); });
        comm.barrier();
        auto const mine = watch_clock(FastClock::shared(), duration_.value);
        run_together(comm, [] { throw_if_interrupted(); });
        LostTime all;
        double worst_share = 0;
        for (auto const& one : comm.all_gather(mine)) {
            all.lost_s += one.lost_s;
            all.elapsed_s += one.elapsed_s;
            all.detours += one.detours;
            all.longest_s = std::max(all.longest_s, one.longest_s);
            worst_share = std::max(worst_share, one.lost_s / one.elapsed_s);
        }
        write_sample(context, turn,
                     {"noise",
                      started,
                      duration_.value,
                      {{"lost_share", all.lost_s / all.elapsed_s, "1", "share of time lost to other work",
                        Better::lower, OverRanks::mean},
                       {"greatest_lost_share", worst_share, "1", "share of time lost on the worst rank", Better::lower},
                       {"longest_us", 1e6 * all.longest_s, "us", "longest time away", Better::lower}},
                      {{"detours", all.detours}, {"detour_s", detour_s}}});
    }

    Seconds duration_{0.5};
    Repetitions repetitions_;
};

JobRegistration<NoiseJob> const noise_registration;

}  // namespace
}  // namespace weir
