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
#include "bench/compute/linear/checked_test.hpp"
#include "bench/compute/linear/numbers.hpp"
#include "core/json.hpp"

namespace weir {
namespace {

constexpr double most_fft_error = 16;
constexpr std::uint64_t most_of_library = std::uint64_t{1} << 30U;  ///< of one transform: FFTW counts in 32 bits
constexpr char const* wrong_transform = "the Fourier transform is wrong";
constexpr char const* check_library = "Try another library, and check the memory and the processors.";
constexpr std::uint64_t fft_arrays = 2;  ///< a rank's numbers, and those that are transposed

class FftJob final : public CheckedTest {
  public:
    static constexpr BenchmarkFacts facts{.name = "fft", .summary = "a complex Fourier transform, by FFTW where it is"};
    FftJob() : CheckedTest(facts.name) {}

  private:
    void declare_work(OptionSet& options) override {
        constexpr std::uint64_t most = std::uint64_t{1} << 44U;
        options.group("sequence");
        options.add("sharing", of_, "global: one over all ranks; star: one each; single: one rank alone");
        options.add("size", size_, "numbers of a sequence; 0: a power of two, times ranks^2 if it is global, that fits",
                    {{}, most});
        memory_.declare(options);
        options.add("seed", seed_, "of the random numbers");
        options.group("library");
        options.add("library", library_name_,
                    "auto: FFTW where it can be loaded, else plain; fftw, the path of it, or plain",
                    Outside{Reach::code, {"fftw", "plain"}});
        options.add("measured", measured_, "FFTW tries its algorithms out before the test, which takes seconds");
        options.add("planning", planning_, "of it, about, at most, for each of its forward plans", {0.0, {}});
    }

    [[nodiscard]] Repetition prepare(JobContext& context) override {
        auto const& comm = context.comm;
        auto const works = is_global() || takes_part(comm, sharing());
        auto const mine = is_global() ? length_ / comm.size() : length_;
        PlannedTransform transform;
        wait_for_turn(comm, sharing());
        run_together(comm, [&] {
            if (works && !is_global()) {
                transform = planned_alone();
            }
        });
        if (is_global()) {
            transform = planned_together(comm);
        }
        Sequence const sequence{length_, mine, works, CentredRandom(seed_)};
        return [this, sequence, transform](TestRun const& run) { run_once(run, sequence, transform); };
    }

    struct Sequence {
        std::uint64_t size;
        std::uint64_t mine;
        bool works;  ///< this rank
        CentredRandom random;

        [[nodiscard]] Complex start(std::uint64_t place) const { return {random(2 * place), random(2 * place + 1)}; }
    };

    /// A transform of numbers that lie where the second function says.
    struct PlannedTransform {
        std::function<void(FftSign)> run;
        std::function<Complex*()> numbers;
        std::function<std::array<double, 5>()> parts_s{};  ///< see GlobalTransform
    };

    [[nodiscard]] bool is_global() const { return of_ == Scope::global; }
    [[nodiscard]] Sharing sharing() const override { return sharing_of(of_); }

    void load() override { library_ = TransformLibrary::load(library_name_, measured_ ? planning_ : Seconds{0}); }

    void choose_size(std::uint64_t bytes_of_rank, std::uint64_t ranks) override {
        auto const numbers = std::max<std::uint64_t>(bytes_of_rank / (fft_arrays * sizeof(Complex)), 1);
        length_ = size_ > 0     ? size_
                  : is_global() ? fft_size_below(numbers * ranks, ranks)
                                : std::bit_floor(std::min(numbers, most_of_library));
    }

    /// Before a library is loaded, what its transforms take more is not known.
    [[nodiscard]] std::uint64_t bytes(std::uint64_t ranks) const override {
        if (library_ == nullptr) {
            return fft_arrays * bytes_in_use(ranks);
        }
        if (!is_global()) {
            return sizeof(Complex) * length_ + library_->extra_bytes(length_);
        }
        auto const shape = fft_shape(length_, ranks);
        return fft_arrays * bytes_in_use(ranks) + library_->extra_bytes(shape.rows) +
               library_->extra_bytes(shape.columns);
    }

    [[nodiscard]] std::uint64_t bytes_in_use(std::uint64_t ranks) const override {
        return sizeof(Complex) * length_ / (is_global() ? ranks : 1);
    }

    [[nodiscard]] std::string option_within(std::uint64_t bytes, std::uint64_t ranks) const override {
        auto const numbers = bytes / fft_arrays / sizeof(Complex);
        return "--size " + std::to_string(is_global() ? fft_size_below(numbers * ranks, ranks)
                                                      : std::bit_floor(std::max<std::uint64_t>(numbers, 1)));
    }

    void check_size(std::uint64_t ranks) const override {
        auto const whole = is_global() ? fft_shape(length_, ranks).columns : length_;  // of those that the library does
        validate(whole <= most_of_library, "a transform of " + std::to_string(whole) + " numbers is too long for FFTW",
                 "it counts in 32 bits", "choose " + std::to_string(most_of_library) + " or less");
        validate(!is_global() || fft_shape(length_, ranks).rows > 0,
                 std::to_string(ranks) + " ranks cannot transform " + std::to_string(length_) + " numbers together",
                 "the size is not the product of two multiples of the ranks",
                 "choose a multiple of " + std::to_string(ranks * ranks));
    }

    [[nodiscard]] PlannedTransform planned_together(Communicator const& comm) const {
        auto made = std::make_shared<GlobalTransform>(comm, *library_, length_, memory_.pages());
        return {[made](FftSign sign) { made->run(sign); }, [made] { return made->numbers(); },
                [made] { return made->parts_s(); }};
    }

    [[nodiscard]] PlannedTransform planned_alone() const {
        auto const memory = std::make_shared<Buffer>(length_ * sizeof(Complex), memory_.pages());
        auto* const numbers = reinterpret_cast<Complex*>(memory->bytes().data());
        std::shared_ptr<Transform> forward = library_->plan(length_, 1, FftSign::forward, numbers);
        std::shared_ptr<Transform> backward = library_->plan(length_, 1, FftSign::backward, numbers);
        return {[forward, backward, numbers](FftSign sign) {
                    (sign == FftSign::forward ? forward : backward)->run(numbers);
                },
                [memory, numbers] { return numbers; },
                {}};
    }

    void run_once(TestRun const& run, Sequence const& sequence, PlannedTransform const& transform) const {
        auto const& comm = run.context.comm;
        auto const works = sequence.works;
        auto const first = is_global() ? comm.rank() * sequence.mine : 0;
        double took_s = 0;
        double error = 0;
        Json parts_s;
        Spot spot;
        if (works) {
            auto* const numbers = transform.numbers();
            for (std::uint64_t i = 0; i < sequence.mine; ++i) {
                numbers[i] = sequence.start(first + i);
            }
        }
        stop_if_asked(comm);
        wait_for_turn(comm, sharing());
        if (works) {
            took_s = seconds_of([&] {
                transform.run(FftSign::forward);
                if (is_global()) {
                    comm.barrier();  // who began late has not ended before the others
                }
            });
            parts_s = transform.parts_s ? Json(transform.parts_s()) : Json();
            spot = spot_of(sequence, transform.numbers(), first);
            if (plant_error_ && comm.is_root()) {
                transform.numbers()[0] += 1;
            }
            transform.run(FftSign::backward);
            error = error_of(sequence, transform.numbers(), first);
        }
        wait_for_turn(comm, sharing());
        auto const worst = greatest_magnitude(comm.all_gather(error));
        write(run, sequence, took_s, worst, {{"parts_s", parts_s}});
        auto const scaled_error = scaled(worst, static_cast<double>(sequence.size));
        expect_right(
            scaled_error < most_fft_error, wrong_transform,
            fmt::format("its inverse gives numbers that are off by {:.3g} times eps ln N, and {:.0f} is allowed",
                        scaled_error, most_fft_error),
            check_library);
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
            expect_right(!one.has || off < most, wrong_transform,
                         fmt::format("number {} of the transformed sequence is not the sum that defines it",
                                     place_of_spot(size)),
                         check_library);
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

    void write(TestRun const& run, Sequence const& sequence, double took_s, double greatest, Json details) const {
        auto const& comm = run.context.comm;
        auto const n = static_cast<double>(sequence.size);
        auto const error = scaled(greatest, n);
        auto const operations = 5 * n * std::log2(n);
        auto const slowest_s = comm.max(took_s);
        auto const rates = rates_of_workers(comm, sequence.works, operations / took_s);
        auto const rate = is_global() ? operations / slowest_s : rates.mean;
        details.update({{"size", sequence.size},
                        {"library", library_->name()},
                        {"working_ranks", rates.workers},
                        {"greatest_error", greatest}});
        run.write(
            {"fft",
             slowest_s,
             {{"flop_per_s", rate, "flop/s", is_global() ? "floating-point rate" : "floating-point rate per process",
               Better::higher, is_global() ? OverRanks::slowest : OverRanks::mean},
              elapsed_time(slowest_s),
              {"scaled_error", error, "1", "scaled error", Better::lower}},
             std::move(details),
             rules_of(!is_global() && library_->name() != plain_library, memory_.pages())});
    }

    Scope of_ = Scope::global;
    std::uint64_t size_ = 0;
    std::uint64_t length_ = 0;  ///< that many, or from the memory
    std::uint64_t seed_ = 1;
    std::string library_name_ = "auto";
    std::shared_ptr<TransformLibrary> library_;
    bool measured_ = true;
    Seconds planning_{10};
};

JobRegistration<FftJob> const fft_registration;

}  // namespace
}  // namespace weir
