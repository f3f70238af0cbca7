// The benchmark `noise`: how much of the processors' time other work takes from a rank that computes.
//
// Work model: each rank reads its clock without pause for `duration`; what is lost meanwhile, see lost_time.hpp.

#include "bench/compute/linear/test_sample.hpp"
#include "bench/compute/noise/lost_time.hpp"
#include "bench/measure.hpp"
#include "comm/collective_error.hpp"
#include "core/fast_clock.hpp"
#include "core/interrupt.hpp"
#include "core/json.hpp"
#include "core/proc.hpp"

namespace weir {
namespace {

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
        auto const all = comm.all_gather(mine);
        std::uint64_t detours = 0;
        for (auto const& one : all) {
            detours += one.detours;
        }
        write_sample(context, turn,
                     {.phase = "noise",
                      .elapsed_s = duration_.value,
                      .metrics = metrics_of(all),
                      .details = {{"detours", detours}, {"detour_s", detour_s}},
                      .started = started});
    }

    Seconds duration_{0.5};
    Repetitions repetitions_;
};

JobRegistration<NoiseJob> const noise_registration;

}  // namespace
}  // namespace weir
