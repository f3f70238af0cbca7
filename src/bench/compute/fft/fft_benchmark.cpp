// The benchmark `fft`: a complex one-dimensional Fourier transform, as the HPC Challenge's FFT (G-FFT, EP-FFT).
//
// Work model: 5 N log2 N floating-point operations, by the time of the slowest rank for one forward transform; planning
// and the first touch of memory are not counted. global: one transform over all ranks, in natural order before and
// after; star: each rank its own, all at once, and their mean counts; single: one rank while others wait. Checked by
// the inverse transform: max |x - x0| over (eps ln N), below 16; and, beyond HPCC, one number of the transformed
// sequence by the definition.

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <numbers>

#include "bench/compute/fft/global_transform.hpp"
#include "bench/compute/linear/numbers.hpp"
#include "bench/compute/linear/rank_memory.hpp"
#include "bench/compute/linear/sharing.hpp"
#include "bench/compute/linear/test_sample.hpp"
#include "bench/enough_memory.hpp"
#include "bench/measure.hpp"
#include "comm/collective_error.hpp"
#include "core/error.hpp"
#include "core/fast_clock.hpp"
#include "core/interrupt.hpp"
#include "core/json.hpp"
#include "core/proc.hpp"

namespace weir {
namespace {

constexpr double most_fft_error = 16;
constexpr std::uint64_t most_of_library = std::uint64_t{1} << 30U;  ///< of one transform: FFTW counts in 32 bits
constexpr std::uint64_t fft_arrays = 2;                             ///< a rank's numbers, and those that are transposed

class FftJob final : public Job {
  public:
    static constexpr BenchmarkFacts facts{.name = "fft", .summary = "a complex Fourier transform, by FFTW where it is"};

    void declare(OptionSet& options) override {
        constexpr std::uint64_t most = std::uint64_t{1} << 44U;
        options.group("sequence");
        options.add("sharing", of_, "global: one over all ranks; star: one each; single: one rank alone");
        options.add("size", size_, "numbers of a sequence; 0: a power of two, times ranks^2 if it is global, that fits",
                    {{}, most});
        memory_.declare(options);
        options.add("seed", seed_, "of the random numbers");
        options.group("library");
        options.add("library", library_,
                    "auto: FFTW where it can be loaded, else plain; fftw, the path of it, or plain",
                    Outside{Reach::code, {"fftw", "plain"}});
        options.add("measured", measured_, "FFTW tries its algorithms out before the test, which takes seconds");
        options.add("planning", planning_, "of it, about, at most, for each of its forward plans", {0.0, {}});
        options.group("measuring");
        options.add("plant_error", plant_error_, "change one number before the check, to test it");
        repetitions_.declare(options);
    }

    [[nodiscard]] Json describe(std::uint64_t ranks) override {
        auto const size = size_for(memory_.of_rank_here(ranks), ranks);
        check(size, ranks);
        return describe_without_files(fft_arrays * sizeof(Complex) * size / (is_global() ? ranks : 1));
    }

    void run(JobContext& context) override {
        auto const& comm = context.comm;
        auto const size = size_for(memory_.of_rank(comm), comm.size());
        auto const together = is_global() ? comm.size() : 1;
        std::unique_ptr<TransformLibrary> library;
        run_together(comm, [&] { library = TransformLibrary::load(library_, measured_ ? planning_ : Seconds{0}); });
        refuse_more_memory(comm, bytes_of_rank(*library, size, comm.size()), [&](std::uint64_t free) {
            auto const numbers = free / fft_arrays / sizeof(Complex);
            return "--size " + std::to_string(is_global() ? fft_size_below(numbers * together, together)
                                                          : std::bit_floor(std::max<std::uint64_t>(numbers, 1)));
        });
        check(size, comm.size());
        cache_share_ = CacheShare(comm, sizeof(Complex) * size / together, sharing());
        auto const works = is_global() || takes_part(comm, sharing());
        auto const mine = is_global() ? size / comm.size() : size;
        Planned transform;
        wait_for_turn(comm, sharing());
        run_together(comm, [&] {
            if (works && !is_global()) {
                transform = planned_alone(*library, size);
            }
        });
        if (is_global()) {
            transform = planned_together(comm, *library, size);
        }
        repetitions_.each(context.clock, [&](Turn const& turn) {
            run_once(context, turn, library->name(), {size, mine, works, CentredRandom(seed_)}, transform);
        });
    }

  private:
    struct Sequence {
        std::uint64_t size;
        std::uint64_t mine;
        bool works;  ///< this rank
        CentredRandom random;

        [[nodiscard]] Complex start(std::uint64_t place) const { return {random(2 * place), random(2 * place + 1)}; }
    };

    /// A transform of numbers that lie where the second function says.
    struct Planned {
        std::function<void(FftSign)> run;
        std::function<Complex*()> numbers;
        std::function<std::array<double, 5>()> parts_s{};  ///< see GlobalTransform
    };

    [[nodiscard]] bool is_global() const { return of_ == Scope::global; }
    [[nodiscard]] Sharing sharing() const { return sharing_of(of_); }

    [[nodiscard]] std::uint64_t size_for(std::uint64_t bytes_of_rank, std::uint64_t ranks) const {
        auto const numbers = std::max<std::uint64_t>(bytes_of_rank / (fft_arrays * sizeof(Complex)), 1);
        if (size_ > 0) {
            return size_;
        }
        return is_global() ? fft_size_below(numbers * ranks, ranks)
                           : std::bit_floor(std::min(numbers, most_of_library));
    }

    [[nodiscard]] std::uint64_t bytes_of_rank(TransformLibrary const& library, std::uint64_t size,
                                              std::uint64_t ranks) const {
        if (!is_global()) {
            return sizeof(Complex) * size + library.extra_bytes(size);
        }
        auto const shape = fft_shape(size, ranks);
        return fft_arrays * sizeof(Complex) * size / ranks + library.extra_bytes(shape.rows) +
               library.extra_bytes(shape.columns);
    }

    /// Of those that the library does.
    [[nodiscard]] std::uint64_t longest_transform(std::uint64_t size, std::uint64_t ranks) const {
        return is_global() ? fft_shape(size, ranks).columns : size;
    }

    void check(std::uint64_t size, std::uint64_t ranks) const {
        auto const whole = longest_transform(size, ranks);
        validate(whole <= most_of_library, "a transform of " + std::to_string(whole) + " numbers is too long for FFTW",
                 "it counts in 32 bits", "choose " + std::to_string(most_of_library) + " or less");
        validate(!is_global() || fft_shape(size, ranks).rows > 0,
                 std::to_string(ranks) + " ranks cannot transform " + std::to_string(size) + " numbers together",
                 "the size is not the product of two multiples of the ranks",
                 "choose a multiple of " + std::to_string(ranks * ranks));
    }

    [[nodiscard]] Planned planned_together(Communicator const& comm, TransformLibrary const& library,
                                           std::uint64_t size) const {
        auto made = std::make_shared<GlobalTransform>(comm, library, size, memory_.pages());
        return {[made](FftSign sign) { made->run(sign); }, [made] { return made->numbers(); },
                [made] { return made->parts_s(); }};
    }

    [[nodiscard]] Planned planned_alone(TransformLibrary const& library, std::uint64_t size) const {
        auto const memory = std::make_shared<Buffer>(size * sizeof(Complex), memory_.pages());
        auto* const numbers = reinterpret_cast<Complex*>(memory->bytes().data());
        std::shared_ptr<Transform> forward = library.plan(size, 1, FftSign::forward, numbers);
        std::shared_ptr<Transform> backward = library.plan(size, 1, FftSign::backward, numbers);
        return {[forward, backward, numbers](FftSign sign) {
                    (sign == FftSign::forward ? forward : backward)->run(numbers);
                },
                [memory, numbers] { return numbers; },
                {}};
    }

    void run_once(JobContext& context, Turn const& turn, std::string const& library, Sequence const& sequence,
                  Planned const& transform) {
        auto const& comm = context.comm;
        auto const started = utc_time();
        auto const works = sequence.works;
        auto const first = is_global() ? comm.rank() * sequence.mine : 0;
        double took_s = 0;
        double error = 0;
        Json parts_s;
        Spot spot;
        note_phase("fft");
        if (works) {
            auto* const numbers = transform.numbers();
            for (std::uint64_t i = 0; i < sequence.mine; ++i) {
                numbers[i] = sequence.start(first + i);
            }
        }
        run_together(comm, [] { throw_if_interrupted(); });
        wait_for_turn(comm, sharing());
        if (works) {
            auto const from_s = FastClock::shared().now_s();
            transform.run(FftSign::forward);
            if (is_global()) {
                comm.barrier();  // who began late has not ended before the others
            }
            took_s = FastClock::shared().now_s() - from_s;
            parts_s = transform.parts_s ? Json(transform.parts_s()) : Json();
            spot = spot_of(sequence, transform.numbers(), first);
            if (plant_error_ && comm.is_root()) {
                transform.numbers()[0] += 1;
            }
            transform.run(FftSign::backward);
            error = error_of(sequence, transform.numbers(), first);
        }
        wait_for_turn(comm, sharing());
        note_phase("");
        auto const worst = greatest_magnitude(comm.all_gather(error));
        write(context, turn, started, library, sequence, took_s, worst, {{"parts_s", parts_s}});
        auto const scaled_error = scaled(worst, static_cast<double>(sequence.size));
        if (!(scaled_error < most_fft_error)) {
            throw Error(
                {"the Fourier transform is wrong",
                 fmt::format("its inverse gives numbers that are off by {:.3g} times eps ln N, and {:.0f} is allowed",
                             scaled_error, most_fft_error),
                 "Try another library, and check the memory and the processors.", ExitCode::wrong_data});
        }
        check_spot(comm, sequence.size, spot);
    }

    /// One number of the transformed sequence, and this rank's part of its definition: the sum of x(i) w^(i k).
    struct Spot {
        Complex defined;
        Complex found;
        bool has = false;  ///< whether the number is this rank's
    };

    static std::uint64_t place_of_spot(std::uint64_t size) { return (size / 3 + 1) % size; }

    [[nodiscard]] Spot spot_of(Sequence const& sequence, Complex const* numbers, std::uint64_t first) const {
        __extension__ using Wide = unsigned __int128;
        auto const place = place_of_spot(sequence.size);
        auto const turn = -2 * std::numbers::pi / static_cast<double>(sequence.size);
        Spot spot;
        spot.has = place >= first && place - first < sequence.mine;
        spot.found = spot.has ? numbers[place - first] : 0;
        for (std::uint64_t i = 0; i < sequence.mine; ++i) {
            auto const power = static_cast<std::uint64_t>(static_cast<Wide>(first + i) * place % sequence.size);
            spot.defined += sequence.start(first + i) * std::polar(1.0, turn * static_cast<double>(power));
        }
        return spot;
    }

    /// Throws on all ranks where the number is not as defined. Collective.
    void check_spot(Communicator const& comm, std::uint64_t size, Spot const& mine) const {
        auto const all = comm.all_gather(mine);
        Complex sum;
        for (auto const& one : all) {
            sum += one.defined;
        }
        for (auto const& one : all) {
            auto const defined = is_global() ? sum : one.defined;
            auto const off = std::abs(one.found - defined) / std::sqrt(static_cast<double>(size));
            constexpr double most = 1e-8;
            if (one.has && !(off < most)) {
                throw Error({"the Fourier transform is wrong",
                             fmt::format("number {} of the transformed sequence is not the sum that defines it",
                                         place_of_spot(size)),
                             "Try another library, and check the memory and the processors.", ExitCode::wrong_data});
            }
        }
    }

    [[nodiscard]] double error_of(Sequence const& sequence, Complex const* numbers, std::uint64_t first) const {
        auto const n = static_cast<double>(sequence.size);
        GreatestMagnitude greatest;
        for (std::uint64_t i = 0; i < sequence.mine; ++i) {
            greatest.see(std::abs(numbers[i] / n - sequence.start(first + i)));
        }
        return greatest.value();
    }

    static double scaled(double error, double n) {
        constexpr double eps = 0x1p-53;  // HPCC's: the unit roundoff
        return error / (eps * (n > 1 ? std::log(n) : 1.0));
    }

    void write(JobContext& context, Turn const& turn, std::string const& started, std::string const& library,
               Sequence const& sequence, double took_s, double greatest, Json details) const {
        auto const n = static_cast<double>(sequence.size);
        auto const error = scaled(greatest, n);
        auto const operations = 5 * n * std::log2(n);
        auto const slowest_s = context.comm.max(took_s);
        auto const rates = rates_of_workers(context.comm, sequence.works, operations / took_s);
        auto const rate = is_global() ? operations / slowest_s : rates.mean;
        details.update({{"size", sequence.size},
                        {"library", library},
                        {"working_ranks", rates.workers},
                        {"greatest_error", greatest}});
        write_sample(
            context, turn,
            {"fft",
             started,
             slowest_s,
             {{"flop_per_s", rate, "flop/s", is_global() ? "floating-point rate" : "floating-point rate per process",
               Better::higher, is_global() ? OverRanks::slowest : OverRanks::mean},
              elapsed_time(slowest_s),
              {"scaled_error", error, "1", "scaled error", Better::lower}},
             std::move(details),
             rules_of(!is_global() && library != plain_library, memory_.pages()),
             {},
             Json::array(),
             cache_share_});
    }

    Scope of_ = Scope::global;
    std::uint64_t size_ = 0;
    RankMemory memory_;
    std::uint64_t seed_ = 1;
    std::string library_ = "auto";
    bool measured_ = true;
    Seconds planning_{10};
    bool plant_error_ = false;
    CacheShare cache_share_;
    Repetitions repetitions_;
};

JobRegistration<FftJob> const fft_registration;

}  // namespace
}  // namespace weir
