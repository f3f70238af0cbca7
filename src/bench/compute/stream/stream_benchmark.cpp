// The benchmark `stream`: bandwidth of memory by STREAM's four kernels, as the HPC Challenge runs them.
//
// Work model: 16 bytes an element for copy and scale, 24 for add and triad, as STREAM counts (a line that is fetched
// only to be written does not count). Each kernel runs `times` times, between barriers of all ranks; a rank's bandwidth
// is that of the fastest run but the first. star: all ranks at once, and their mean counts; single: one rank while
// others wait.

#include <algorithm>
#include <limits>
#include <memory>

#include "bench/compute/linear/checked_test.hpp"
#include "bench/compute/linear/numbers.hpp"
#include "bench/compute/stream/stream_kernels.hpp"
#include "core/json.hpp"

namespace weir {
namespace {

constexpr double stream_scalar = 0.42;  ///< as HPCC, so that numbers stay finite whatever `times` is
constexpr double most_stream_error = 1e-13;
constexpr std::uint64_t stream_arrays = 3;

class StreamJob final : public CheckedTest {
  public:
    static constexpr BenchmarkFacts facts{.name = "stream",
                                          .summary = "bandwidth of memory by STREAM's copy, scale, add and triad"};
    StreamJob() : CheckedTest(facts.name) {}

  private:
    void declare_work(OptionSet& options) override {
        constexpr std::uint64_t most = std::uint64_t{1} << 40U;
        options.group("vectors");
        options.add("size", size_, "elements of each of the three vectors of a rank; 0: from the memory", {{}, most});
        memory_.declare(options);
        options.group("work");
        options.add("sharing", sharing_, "star: all ranks at once; single: one, while the others wait");
        options.add("stores", stores_, "ordinary, or past the caches (non-temporal)");
    }

    void declare_check(OptionSet& options) override {
        constexpr std::uint64_t least_times = 2;
        options.add("times", times_, "runs of each kernel in a sample; the fastest but the first counts",
                    {least_times, {}});
        CheckedTest::declare_check(options);
    }

    void choose_size(std::uint64_t bytes_of_rank, std::uint64_t /*ranks*/) override {
        elements_ = size_ > 0 ? size_ : std::max<std::uint64_t>(bytes_of_rank / (stream_arrays * sizeof(double)), 1);
    }

    [[nodiscard]] std::uint64_t bytes(std::uint64_t /*ranks*/) const override {
        return stream_arrays * sizeof(double) * elements_;
    }

    [[nodiscard]] std::string option_within(std::uint64_t bytes, std::uint64_t /*ranks*/) const override {
        return "--size " + std::to_string(bytes / sizeof(double) / stream_arrays);
    }

    [[nodiscard]] std::uint64_t bytes_in_use(std::uint64_t ranks) const override { return bytes(ranks); }
    [[nodiscard]] Sharing sharing() const override { return sharing_; }

    [[nodiscard]] Repetition prepare(JobContext& context) override {
        // A page and a line more for each, so that the three do not fall into the same sets of a cache.
        constexpr std::uint64_t apart = 4096 / sizeof(double) + 8;
        auto const room = (elements_ + 7) / 8 * 8 + apart;
        auto const memory = make_together<Buffer>(context.comm, stream_arrays * room * sizeof(double), memory_.pages());
        auto* const at = reinterpret_cast<double*>(memory->bytes().data());
        StreamVectors const vectors{at, at + room, at + 2 * room, elements_};
        return [this, memory, vectors](TestRun const& run) { run_once(run, vectors); };
    }

    void run_once(TestRun const& run, StreamVectors const& vectors) const {
        auto const& comm = run.context.comm;
        auto const works = takes_part(comm, sharing_);
        std::array<double, 4> least_s{};
        least_s.fill(std::numeric_limits<double>::infinity());
        if (works) {
            start_stream(vectors);
        }
        wait_for_turn(comm, sharing_);
        run.energy.start();
        for (std::uint64_t time = 0; time < times_; ++time) {
            wait_for_turn(comm, sharing_);
            stop_if_asked(comm);
            for (std::size_t kernel = 0; kernel < stream_kernels().size(); ++kernel) {
                wait_for_turn(comm, sharing_);
                if (works) {
                    auto const took_s =
                        seconds_of([&] { stream_kernels()[kernel].run(vectors, stream_scalar, stores_); });
                    least_s[kernel] = time > 0 ? std::min(least_s[kernel], took_s) : least_s[kernel];
                }
            }
        }
        wait_for_turn(comm, sharing_);
        auto const workers = sharing_ == Sharing::star ? comm.size() : 1;
        auto const energy_j = run.energy.used_j();
        auto const error = greatest_magnitude(comm.all_gather(works ? error_of(vectors) : 0.0));
        std::uint64_t bytes = 0;
        for (auto const& kernel : stream_kernels()) {
            bytes += kernel.bytes * vectors.size * times_ * workers;
        }
        for (std::size_t kernel = 0; kernel < stream_kernels().size(); ++kernel) {
            // The energy of all four is told once, by the last.
            WorkEnergy const none;
            auto const is_last = kernel + 1 == stream_kernels().size();
            write(run, stream_kernels()[kernel], {works, least_s[kernel], error},
                  is_last ? WorkEnergy{energy_j, static_cast<double>(bytes), "B"} : none);
        }
        expect_right(
            error < most_stream_error, "the numbers that STREAM left in memory are wrong",
            fmt::format("their mean relative error is {:.3g}, and must be below {:.0g}", error, most_stream_error),
            "Check the memory and the processors.");
    }

    /// Of this rank's vectors.
    [[nodiscard]] double error_of(StreamVectors const& vectors) const {
        if (plant_error_) {
            vectors.a[vectors.size / 2] *= 2;
        }
        return stream_error(vectors, stream_scalar, times_);
    }

    struct KernelRun {
        bool works;
        double least_s;  ///< of this rank, if it works
        double error;    ///< of all ranks, after all kernels
    };

    void write(TestRun const& run, StreamKernel const& kernel, KernelRun const& found, WorkEnergy energy) const {
        auto const [works, least_s, error] = found;
        auto const& comm = run.context.comm;
        auto const rates = rates_of_workers(comm, works, static_cast<double>(kernel.bytes * elements_) / least_s);
        run.write(
            {kernel.name,
             comm.max(works ? least_s : 0),
             {in_gbytes({"bandwidth_bytes_per_s", rates.mean, "B/s", "bandwidth per process", Better::higher,
                         OverRanks::mean}),
              in_gbytes({"least_bandwidth_bytes_per_s", rates.least, "B/s", "bandwidth of the slowest process"}),
              in_gbytes({"greatest_bandwidth_bytes_per_s", rates.greatest, "B/s", "bandwidth of the fastest process"})},
             {{"size", elements_},
              {"working_ranks", rates.workers},
              {"stores", to_text(stores_)},
              {"mean_relative_error", error}},
             rules_of(stores_ == StreamStores::ordinary, memory_.pages()),
             std::move(energy)});
    }

    std::uint64_t size_ = 0;
    std::uint64_t elements_ = 0;  ///< that many, or from the memory
    Sharing sharing_ = Sharing::star;
    StreamStores stores_ = StreamStores::ordinary;
    std::uint64_t times_ = 10;
};

JobRegistration<StreamJob> const stream_registration;

}  // namespace
}  // namespace weir
