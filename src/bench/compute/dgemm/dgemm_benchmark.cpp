// The benchmark `dgemm`: products of matrices on each rank, as the HPC Challenge's DGEMM: C <- alpha A B + beta C.
//
// Work model: 2 n^3 floating-point operations, by the time of one call of the BLAS. star: all ranks at once, and their
// mean counts; single: one rank while others wait. Checked by C x against alpha A (B x) + beta C x of a random vector
// x.

#include <algorithm>
#include <cmath>
#include <memory>

#include "bench/compute/linear/blas_kernel.hpp"
#include "bench/compute/linear/checked_test.hpp"
#include "bench/compute/linear/numbers.hpp"
#include "core/json.hpp"

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

class DgemmJob final : public CheckedTest {
  public:
    static constexpr BenchmarkFacts facts{.name = "dgemm", .summary = "products of matrices on each rank, by the BLAS"};
    DgemmJob() : CheckedTest(facts.name) {}

  private:
    void declare_work(OptionSet& options) override {
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
    }

    void declare_check(OptionSet& options) override {
        options.add("plant_error", plant_error_, "change one number of the product before the check, to test it");
    }

    void load() override { blas_ = &Blas::load(library_, threads_); }

    static std::uint64_t order_within(std::uint64_t bytes) {
        auto const numbers = static_cast<double>(bytes / dgemm_matrices / sizeof(double));
        return static_cast<std::uint64_t>(std::sqrt(numbers));
    }

    void choose_size(std::uint64_t bytes_of_rank, std::uint64_t /*ranks*/) override {
        n_ = size_ > 0 ? size_ : std::max<std::uint64_t>(order_within(bytes_of_rank), 1);
    }

    [[nodiscard]] std::uint64_t bytes(std::uint64_t /*ranks*/) const override {
        return dgemm_matrices * sizeof(double) * n_ * n_;
    }

    [[nodiscard]] std::string option_within(std::uint64_t bytes, std::uint64_t /*ranks*/) const override {
        return "--size " + std::to_string(order_within(bytes));
    }

    [[nodiscard]] Sharing sharing() const override { return sharing_; }

    [[nodiscard]] Repetition prepare(JobContext& context) override {
        auto const memory = make_together<Buffer>(context.comm, bytes(1), memory_.pages());
        auto* const at = reinterpret_cast<double*>(memory->bytes().data());
        Product const product{n_, at, at + n_ * n_, at + 2 * n_ * n_};
        return [this, memory, product](TestRun const& run) { multiply_once(run, product); };
    }

    void multiply_once(TestRun const& run, Product const& product) const {
        auto const& comm = run.context.comm;
        auto const works = takes_part(comm, sharing_);
        double took_s = 0;
        double residual = 0;
        if (works) {
            product.fill(CentredRandom(seed_, comm.rank()));
        }
        stop_if_asked(comm);
        wait_for_turn(comm, sharing_);
        run.energy.start();
        if (works) {
            auto const x = random_vector(product.n);
            auto const c_x = times_vector(*blas_, product.n, product.c, x);
            took_s = seconds_of([&] { multiply(*blas_, product); });
            residual = residual_of(*blas_, product, x, c_x);
        }
        wait_for_turn(comm, sharing_);
        auto const energy_j = run.energy.used_j();
        stop_if_asked(comm);
        auto const n = static_cast<double>(product.n);
        auto const rates = rates_of_workers(comm, works, 2 * n * n * n / took_s);
        auto const worst = greatest_magnitude(comm.all_gather(residual));
        write(run, rates, comm.max(took_s), worst, energy_j);
        expect_right(worst < most_dgemm_residual, "a product of matrices is wrong",
                     fmt::format("its scaled residual is {:.3g}, and must be below {:.0f}", worst, most_dgemm_residual),
                     check_blas);
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

    void write(TestRun const& run, WorkerRates const& rates, double took_s, double residual,
               std::optional<double> energy_j) const {
        auto const order = static_cast<double>(n_);
        auto const all_operations = 2 * order * order * order * static_cast<double>(rates.workers);
        run.write(
            {"dgemm",
             took_s,
             {{"flop_per_s", rates.mean, "flop/s", "floating-point rate per process", Better::higher, OverRanks::mean},
              {"least_flop_per_s", rates.least, "flop/s", "floating-point rate of the slowest process"},
              {"greatest_flop_per_s", rates.greatest, "flop/s", "floating-point rate of the fastest process"},
              {"scaled_residual", residual, "1", "scaled residual", Better::lower}},
             {{"size", n_}, {"seed", seed_}, {"working_ranks", rates.workers}, {"blas", to_json(*blas_)}},
             rules_of(true, memory_.pages()),
             {energy_j, all_operations, "flop"},
             warnings_of(*blas_, run.context.comm)});
    }

    std::uint64_t size_ = 0;
    std::uint64_t n_ = 0;  ///< that one, or from the memory
    std::uint64_t seed_ = 1;
    Sharing sharing_ = Sharing::star;
    std::string library_ = "auto";
    std::uint64_t threads_ = 1;
    Blas const* blas_ = nullptr;
};

JobRegistration<DgemmJob> const dgemm_registration;

}  // namespace
}  // namespace weir
