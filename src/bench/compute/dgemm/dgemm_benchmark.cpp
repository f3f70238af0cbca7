// The benchmark `dgemm`: products of matrices on each rank, as the HPC Challenge's DGEMM: C <- alpha A B + beta C.
//
// Work model: 2 n^3 floating-point operations, by the time of one call of the BLAS. star: all ranks at once, and their
// mean counts; single: one rank while others wait. Checked by C x against alpha A (B x) + beta C x of a random vector
// x.

#include <algorithm>
#include <cmath>
#include <memory>

#include "bench/compute/linear/blas_kernel.hpp"
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
#include "core/memory.hpp"
#include "core/proc.hpp"

namespace weir {
namespace {

constexpr double dgemm_alpha = 1.5;
constexpr double dgemm_beta = 0.75;
constexpr double most_dgemm_residual = 16;
constexpr std::uint64_t dgemm_matrices = 3;
constexpr auto of_vector = ~std::uint64_t{0};  ///< the sequence of numbers; those of matrices are the ranks

/// The three matrices of a rank, n x n.
struct Product {
    std::uint64_t n = 0;
    double* a = nullptr;
    double* b = nullptr;
    double* c = nullptr;

    void fill(CentredRandom const& number) const {
        for (std::uint64_t i = 0; i < n * n; ++i) {
            a[i] = number(dgemm_matrices * i);
            b[i] = number(dgemm_matrices * i + 1);
            c[i] = number(dgemm_matrices * i + 2);
        }
    }
};

std::vector<double> times_vector(Blas const& blas, std::uint64_t n, double const* matrix,
                                 std::vector<double> const& x) {
    std::vector<double> y(n);
    blas.multiply_add(n, n, 1.0, matrix, n, x.data(), y.data());
    return y;
}

/// In columns that are so many that the rate is that of one call, and so few that a rank is heard of, and ends soon
/// after a stop was requested.
void multiply(Blas const& blas, Product const& product) {
    constexpr std::uint64_t least = 256;
    constexpr std::uint64_t most_operations = 40'000'000'000;
    auto const n = product.n;
    auto const at_a_time = std::max(least, most_operations / (2 * n * n));
    for (std::uint64_t first = 0; first < n && !stop_requested.load(std::memory_order_relaxed); first += at_a_time) {
        note_step();
        blas.gemm(n, std::min(at_a_time, n - first), n, dgemm_alpha, product.a, n, product.b + first * n, n, dgemm_beta,
                  product.c + first * n, n);
    }
}

class DgemmJob final : public Job {
  public:
    static constexpr BenchmarkFacts facts{.name = "dgemm", .summary = "products of matrices on each rank, by the BLAS"};

    void declare(OptionSet& options) override {
        constexpr std::uint64_t most = 200'000;
        constexpr std::uint64_t most_threads = 4096;
        options.group("matrices");
        options.add("size", size_, "order of the three matrices of a rank; 0: from the memory", {{}, most});
        memory_.declare(options);
        options.add("seed", seed_, "of the random matrices");
        options.group("work");
        options.add("sharing", sharing_, "star: all ranks at once; single: one, while the others wait");
        options.add("blas", library_, "name or path of the BLAS; auto: the first that is found", Outside{Reach::code});
        options.add("threads", threads_, "threads of the BLAS on each rank", {std::uint64_t{1}, most_threads});
        options.group("measuring");
        options.add("plant_error", plant_error_, "change one number of the product before the check, to test it");
        repetitions_.declare(options);
    }

    [[nodiscard]] Json describe(std::uint64_t ranks) override {
        auto const n = size_for(memory_.of_rank_here(ranks));
        return describe_without_files(dgemm_matrices * sizeof(double) * n * n);
    }

    void run(JobContext& context) override {
        Blas const* blas = nullptr;  // with its buffers, before the memory that is left is counted
        run_together(context.comm, [&] { blas = &Blas::load(library_, threads_); });
        auto const n = size_for(memory_.of_rank(context.comm));
        refuse_more_memory(context.comm, dgemm_matrices * sizeof(double) * n * n, [](std::uint64_t bytes) {
            auto const numbers = static_cast<double>(bytes / dgemm_matrices / sizeof(double));
            return "--size " + std::to_string(static_cast<std::uint64_t>(std::sqrt(numbers)));
        });
        std::unique_ptr<Buffer> memory;
        Product product;
        run_together(context.comm, [&] {
            memory = std::make_unique<Buffer>(dgemm_matrices * n * n * sizeof(double), memory_.pages());
            auto* const at = reinterpret_cast<double*>(memory->bytes().data());
            product = {n, at, at + n * n, at + 2 * n * n};
        });
        EnergyMeter energy(context.comm);
        repetitions_.each(context.clock,
                          [&](Turn const& turn) { multiply_once(context, turn, *blas, product, energy); });
    }

  private:
    [[nodiscard]] std::uint64_t size_for(std::uint64_t bytes_of_rank) const {
        auto const numbers = static_cast<double>(bytes_of_rank / (dgemm_matrices * sizeof(double)));
        return size_ > 0 ? size_ : std::max<std::uint64_t>(static_cast<std::uint64_t>(std::sqrt(numbers)), 1);
    }

    void multiply_once(JobContext& context, Turn const& turn, Blas const& blas, Product const& product,
                       EnergyMeter& energy) {
        auto const started = utc_time();
        auto const works = takes_part(context.comm, sharing_);
        double took_s = 0;
        double residual = 0;
        note_phase("dgemm");
        if (works) {
            product.fill(CentredRandom(seed_, context.comm.rank()));
        }
        run_together(context.comm, [] { throw_if_interrupted(); });
        wait_for_turn(context.comm, sharing_);
        energy.start();
        if (works) {
            auto const x = random_vector(product.n);
            auto const c_x = times_vector(blas, product.n, product.c, x);
            auto const from_s = FastClock::shared().now_s();
            multiply(blas, product);
            took_s = FastClock::shared().now_s() - from_s;
            residual = residual_of(blas, product, x, c_x);
        }
        wait_for_turn(context.comm, sharing_);
        auto const energy_j = energy.used_j();
        run_together(context.comm, [] { throw_if_interrupted(); });
        note_phase("");
        auto const n = static_cast<double>(product.n);
        auto const rates = rates_of_workers(context.comm, works, 2 * n * n * n / took_s);
        auto const worst = greatest_magnitude(context.comm.all_gather(residual));
        write(context, turn, started, blas, product.n, rates, context.comm.max(took_s), worst, energy_j);
        if (!(worst < most_dgemm_residual)) {
            throw Error(
                {"a product of matrices is wrong",
                 fmt::format("its scaled residual is {:.3g}, and must be below {:.0f}", worst, most_dgemm_residual),
                 "Try another BLAS, and check the memory and the processors.", ExitCode::wrong_data});
        }
    }

    [[nodiscard]] std::vector<double> random_vector(std::uint64_t n) const {
        CentredRandom const number(seed_, of_vector);
        std::vector<double> x(n);
        for (std::uint64_t i = 0; i < n; ++i) {
            x[i] = number(i);
        }
        return x;
    }

    /// Of ||C x - (alpha A (B x) + beta C_0 x)|| over eps n and the size of the terms.
    [[nodiscard]] double residual_of(Blas const& blas, Product const& product, std::vector<double> const& x,
                                     std::vector<double> const& c_x) const {
        auto const n = product.n;
        if (plant_error_) {
            product.c[n / 2] += 1;
        }
        auto found = times_vector(blas, n, product.c, x);
        auto const product_x = times_vector(blas, n, product.a, times_vector(blas, n, product.b, x));
        double terms = 0;
        for (std::uint64_t i = 0; i < n; ++i) {
            auto const expected = dgemm_alpha * product_x[i] + dgemm_beta * c_x[i];
            terms = std::max(terms, std::abs(dgemm_alpha * product_x[i]) + std::abs(dgemm_beta * c_x[i]));
            found[i] -= expected;
        }
        constexpr double eps = 0x1p-53;
        return greatest_magnitude(found) / (eps * static_cast<double>(n) * terms);
    }

    void write(JobContext& context, Turn const& turn, std::string const& started, Blas const& blas, std::uint64_t n,
               WorkerRates const& rates, double took_s, double residual, std::optional<double> energy_j) const {
        auto const order = static_cast<double>(n);
        auto const all_operations = 2 * order * order * order * static_cast<double>(rates.workers);
        write_sample(
            context, turn,
            {"dgemm",
             started,
             took_s,
             {{"flop_per_s", rates.mean, "flop/s", "floating-point rate per process", Better::higher, OverRanks::mean},
              {"least_flop_per_s", rates.least, "flop/s", "floating-point rate of the slowest process"},
              {"greatest_flop_per_s", rates.greatest, "flop/s", "floating-point rate of the fastest process"},
              {"scaled_residual", residual, "1", "scaled residual", Better::lower}},
             {{"size", n}, {"seed", seed_}, {"working_ranks", rates.workers}, {"blas", to_json(blas)}},
             rules_of(true, memory_.pages()),
             {energy_j, all_operations, "flop"},
             warnings_of(blas, context.comm)});
    }

    std::uint64_t size_ = 0;
    RankMemory memory_;
    std::uint64_t seed_ = 1;
    Sharing sharing_ = Sharing::star;
    std::string library_ = "auto";
    std::uint64_t threads_ = 1;
    bool plant_error_ = false;
    Repetitions repetitions_;
};

JobRegistration<DgemmJob> const dgemm_registration;

}  // namespace
}  // namespace weir
