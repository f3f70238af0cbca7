// The benchmark `stream`: bandwidth of memory by STREAM's four kernels, as the HPC Challenge runs them.
//
// Work model: 16 bytes an element for copy and scale, 24 for add and triad, as STREAM counts (a line that is fetched
// only to be written does not count). Each kernel runs `times` times, between barriers of all ranks; a rank's bandwidth
// is that of the fastest run but the first. star: all ranks at once, and their mean counts; single: one rank while
// others wait.

#include <algorithm>
#include <limits>
#include <memory>

#include "bench/compute/linear/numbers.hpp"
#include "bench/compute/linear/rank_memory.hpp"
#include "bench/compute/linear/sharing.hpp"
#include "bench/compute/linear/test_sample.hpp"
#include "bench/compute/stream/stream_kernels.hpp"
#include "bench/enough_memory.hpp"
#include "bench/measure.hpp"
#include "comm/collective_error.hpp"
#include "core/error.hpp"
#include "core/fast_clock.hpp"
#include "core/interrupt.hpp"
#include "core/json.hpp"
#include "core/memory.hpp"
#include "core/proc.hpp"

namespace weir {
namespace {

constexpr double stream_scalar = 0.42;  ///< as HPCC, so that numbers stay finite whatever `times` is
constexpr double most_stream_error = 1e-13;
constexpr std::uint64_t stream_arrays = 3;

class StreamJob final : public Job {
  public:
    static constexpr BenchmarkFacts facts{.name = "stream",
                                          .summary = "bandwidth of memory by STREAM's copy, scale, add and triad"};

    void declare(OptionSet& options) override {
        constexpr std::uint64_t most = std::uint64_t{1} << 40U;
        constexpr std::uint64_t least_times = 2;
        options.group("vectors");
        options.add("size", size_, "elements of each of the three vectors of a rank; 0: from the memory", {{}, most});
        memory_.declare(options);
        options.group("work");
        options.add("sharing", sharing_, "star: all ranks at once; single: one, while the others wait");
        options.add("stores", stores_, "ordinary, or past the caches (non-temporal)");
        options.group("measuring");
        options.add("times", times_, "runs of each kernel in a sample; the fastest but the first counts",
                    {least_times, {}});
        options.add("plant_error", plant_error_, "change one number before the check, to test it");
        repetitions_.declare(options);
    }

    [[nodiscard]] Json describe(std::uint64_t ranks) override {
        return describe_without_files(stream_arrays * sizeof(double) * size_for(memory_.of_rank_here(ranks)));
    }

    void run(JobContext& context) override {
        auto const size = size_for(memory_.of_rank(context.comm));
        refuse_more_memory(context.comm, stream_arrays * sizeof(double) * size, [](std::uint64_t bytes) {
            return "--size " + std::to_string(bytes / sizeof(double) / stream_arrays);
        });
        cache_share_ = CacheShare(context.comm, stream_arrays * sizeof(double) * size, sharing_);
        std::unique_ptr<Buffer> memory;
        StreamVectors vectors;
        run_together(context.comm, [&] {
            // A page and a line more for each, so that the three do not fall into the same sets of a cache.
            constexpr std::uint64_t apart = 4096 / sizeof(double) + 8;
            auto const room = (size + 7) / 8 * 8 + apart;
            memory = std::make_unique<Buffer>(stream_arrays * room * sizeof(double), memory_.pages());
            auto* const at = reinterpret_cast<double*>(memory->bytes().data());
            vectors = {at, at + room, at + 2 * room, size};
        });
        EnergyMeter energy(context.comm);
        repetitions_.each(context.clock, [&](Turn const& turn) { run_once(context, turn, vectors, energy); });
    }

  private:
    [[nodiscard]] std::uint64_t size_for(std::uint64_t bytes_of_rank) const {
        return size_ > 0 ? size_ : std::max<std::uint64_t>(bytes_of_rank / (stream_arrays * sizeof(double)), 1);
    }

    void run_once(JobContext& context, Turn const& turn, StreamVectors const& vectors, EnergyMeter& energy) {
        auto const started = utc_time();
        auto const works = takes_part(context.comm, sharing_);
        auto const& clock = FastClock::shared();
        std::array<double, 4> least_s{};
        least_s.fill(std::numeric_limits<double>::infinity());
        if (works) {
            start_stream(vectors);
        }
        wait_for_turn(context.comm, sharing_);
        energy.start();
        for (std::uint64_t time = 0; time < times_; ++time) {
            wait_for_turn(context.comm, sharing_);
            run_together(context.comm, [] { throw_if_interrupted(); });
            for (std::size_t kernel = 0; kernel < stream_kernels().size(); ++kernel) {
                wait_for_turn(context.comm, sharing_);
                if (works) {
                    auto const from_s = clock.now_s();
                    stream_kernels()[kernel].run(vectors, stream_scalar, stores_);
                    auto const took_s = clock.now_s() - from_s;
                    least_s[kernel] = time > 0 ? std::min(least_s[kernel], took_s) : least_s[kernel];
                }
            }
        }
        wait_for_turn(context.comm, sharing_);
        auto const workers = sharing_ == Sharing::star ? context.comm.size() : 1;
        auto const energy_j = energy.used_j();
        auto const error = greatest_magnitude(context.comm.all_gather(works ? error_of(vectors) : 0.0));
        std::uint64_t bytes = 0;
        for (auto const& kernel : stream_kernels()) {
            bytes += kernel.bytes * vectors.size * times_ * workers;
        }
        for (std::size_t kernel = 0; kernel < stream_kernels().size(); ++kernel) {
            // The energy of all four is told once, by the last.
            WorkEnergy const none;
            auto const is_last = kernel + 1 == stream_kernels().size();
            write(context, turn, started, stream_kernels()[kernel], {vectors.size, works, least_s[kernel], error},
                  is_last ? WorkEnergy{energy_j, static_cast<double>(bytes), "B"} : none);
        }
        if (!(error < most_stream_error)) {
            throw Error(
                {"the numbers that STREAM left in memory are wrong",
                 fmt::format("their mean relative error is {:.3g}, and must be below {:.0g}", error, most_stream_error),
                 "Check the memory and the processors.", ExitCode::wrong_data});
        }
    }

    /// Of this rank's vectors.
    [[nodiscard]] double error_of(StreamVectors const& vectors) const {
        if (plant_error_) {
            vectors.a[vectors.size / 2] *= 2;
        }
        return stream_error(vectors, stream_scalar, times_);
    }

    struct KernelRun {
        std::uint64_t size;
        bool works;
        double least_s;  ///< of this rank, if it works
        double error;    ///< of all ranks, after all kernels
    };

    void write(JobContext& context, Turn const& turn, std::string const& started, StreamKernel const& kernel,
               KernelRun const& found, WorkEnergy energy) const {
        auto const [size, works, least_s, error] = found;
        auto const rates = rates_of_workers(context.comm, works, static_cast<double>(kernel.bytes * size) / least_s);
        auto const elapsed_s = context.comm.max(works ? least_s : 0);
        write_sample(
            context, turn,
            {kernel.name,
             started,
             elapsed_s,
             {{"bandwidth_bytes_per_s", rates.mean, "B/s", "bandwidth per process", Better::higher, OverRanks::mean},
              {"least_bandwidth_bytes_per_s", rates.least, "B/s", "bandwidth of the slowest process"},
              {"greatest_bandwidth_bytes_per_s", rates.greatest, "B/s", "bandwidth of the fastest process"}},
             {{"size", size},
              {"working_ranks", rates.workers},
              {"stores", to_text(stores_)},
              {"mean_relative_error", error}},
             rules_of(stores_ == StreamStores::ordinary, memory_.pages()),
             std::move(energy),
             Json::array(),
             cache_share_});
    }

    std::uint64_t size_ = 0;
    RankMemory memory_;
    Sharing sharing_ = Sharing::star;
    StreamStores stores_ = StreamStores::ordinary;
    std::uint64_t times_ = 10;
    bool plant_error_ = false;
    CacheShare cache_share_;
    Repetitions repetitions_;
};

JobRegistration<StreamJob> const stream_registration;

}  // namespace
}  // namespace weir
