// The benchmark `ptrans`: A <- beta A + alpha B^T of matrices over all ranks, as the HPC Challenge's PTRANS.
//
// Work model: 8 n^2 bytes, those of one matrix, by the time of the slowest rank. Each rank reads B and reads and writes
// A, and half of B or more crosses from rank to rank; those of a node read it in place, if B is of usual pages. Checked
// element by element: max |A - expected| over (eps n max |expected|), at most 16.

#include <algorithm>
#include <cmath>
#include <memory>

#include "bench/compute/linear/checked_test.hpp"
#include "bench/compute/linear/numbers.hpp"
#include "bench/compute/ptrans/transpose_add.hpp"
#include "core/json.hpp"

namespace weir {
namespace {

constexpr double ptrans_alpha = 1.0;
constexpr double ptrans_beta = 1.0;
constexpr double most_ptrans_residual = 16;
constexpr std::uint64_t ptrans_matrices = 2;

/// The two matrices, and what transposes. Collective to make.
struct Transposition {
    Transposition(Communicator const& comm, GridOptions const& options, std::uint64_t size, Pages pages, Bytes part)
        : grid(comm, options.rows(comm.size()), comm.size() / options.rows(comm.size())),
          shape(grid, size, options.block),
          memory(make_together<Buffer>(comm, bytes(), pages)),
          other(comm, bytes(), pages),
          transpose(grid, shape, other, part.value),
          a(reinterpret_cast<double*>(memory->bytes().data())),
          b(reinterpret_cast<double*>(other.of(comm.rank()))) {}

    [[nodiscard]] std::uint64_t bytes() const {
        return std::max<std::uint64_t>(shape.local_rows * shape.local_columns, 1) * sizeof(double);
    }

    /// set(place in the local matrix, row, column)
    template <class Set>
    void for_each(Set set) const {
        for (std::uint64_t column = 0; column < shape.local_columns; ++column) {
            for (std::uint64_t row = 0; row < shape.local_rows; ++row) {
                set(column * shape.local_rows + row, shape.rows.global(row, grid.row),
                    shape.columns.global(column, grid.column));
            }
        }
    }

    ProcessGrid grid;
    GridShape shape;
    std::shared_ptr<Buffer> memory;
    NodeBuffer other;
    TransposeAdd transpose;
    double* a;
    double* b;
};

class PtransJob final : public CheckedTest {
  public:
    static constexpr BenchmarkFacts facts{.name = "ptrans", .summary = "transposition of a matrix over all ranks"};
    PtransJob() : CheckedTest(facts.name) {}

  private:
    void declare_work(OptionSet& options) override {
        constexpr std::uint64_t most_rows = 1'000'000;
        options.group("matrices");
        options.add("size", size_, "order of the two matrices; 0: half of HPL's, from the memory", {{}, most_rows});
        memory_.declare(options);
        options.add("seed", seed_, "of the random matrices");
        options.group("distribution");
        grid_.declare(options);
        options.add("part", part_, "bytes of a message, about");
    }

    /// The order, and a block that is no larger.
    void choose_size(std::uint64_t bytes_of_rank, std::uint64_t ranks) override {
        auto const hpl = std::sqrt(static_cast<double>(bytes_of_rank) * static_cast<double>(ranks) / sizeof(double));
        order_ = size_ > 0 ? size_ : std::max<std::uint64_t>(static_cast<std::uint64_t>(hpl) / 2, 1);
        grid_.fit_block(order_);
    }

    [[nodiscard]] std::uint64_t bytes(std::uint64_t ranks) const override {
        auto const rows = grid_.rows(ranks);
        return ptrans_matrices * sizeof(double) * BlockCyclic{order_, grid_.block, rows}.count(0) *
               BlockCyclic{order_, grid_.block, ranks / rows}.count(0);
    }

    [[nodiscard]] std::string option_within(std::uint64_t bytes, std::uint64_t ranks) const override {
        auto const numbers = static_cast<double>(bytes / ptrans_matrices / sizeof(double) * ranks);
        return "--size " + std::to_string(static_cast<std::uint64_t>(std::sqrt(numbers)));
    }

    [[nodiscard]] std::uint64_t bytes_in_use(std::uint64_t ranks) const override { return bytes(ranks); }

    [[nodiscard]] Repetition prepare(JobContext& context) override {
        auto const made = std::make_shared<Transposition>(context.comm, grid_, order_, memory_.pages(), part_);
        return [this, made](TestRun const& run) { run_once(run, *made); };
    }

    void run_once(TestRun const& run, Transposition& matrices) const {
        auto const& comm = run.context.comm;
        auto* const a = matrices.a;
        CentredRandom const number(seed_);
        auto const element = [&](std::uint64_t matrix, std::uint64_t row, std::uint64_t column) {
            return number(ptrans_matrices * (column * order_ + row) + matrix);
        };
        matrices.for_each([&](std::uint64_t at, std::uint64_t row, std::uint64_t column) {
            a[at] = element(0, row, column);
            matrices.b[at] = element(1, row, column);
        });
        stop_if_asked(comm);
        run.energy.start();
        comm.barrier();
        auto const took_s = comm.max(seconds_of([&] {
            matrices.transpose.run(ptrans_alpha, ptrans_beta, a);
            comm.barrier();  // who began late has not ended before the others
        }));
        auto const energy_j = run.energy.used_j();
        if (plant_error_ && comm.is_root()) {
            a[0] += 1;
        }
        GreatestMagnitude off;
        GreatestMagnitude expected;
        matrices.for_each([&](std::uint64_t at, std::uint64_t row, std::uint64_t column) {
            auto const number = ptrans_beta * element(0, row, column) + ptrans_alpha * element(1, column, row);
            off.see(a[at] - number);
            expected.see(number);
        });
        constexpr double eps = 0x1p-53;
        auto const difference = greatest_magnitude(comm.all_gather(off.value()));
        auto const residual = difference / (eps * static_cast<double>(order_) * comm.max(expected.value()));
        write(run, matrices.grid, took_s, residual, energy_j);
        expect_right(
            residual <= most_ptrans_residual, "the transposed matrix is wrong",
            fmt::format("its scaled residual is {:.3g}, and may be {:.0f} at most", residual, most_ptrans_residual),
            "Check the memory and the network.");
    }

    void write(TestRun const& run, ProcessGrid const& grid, double took_s, double residual,
               std::optional<double> energy_j) const {
        auto const n = static_cast<double>(order_);
        auto const bytes = sizeof(double) * n * n;
        run.write({"ptrans",
                   took_s,
                   {in_gbytes({"bandwidth_bytes_per_s", per_second(bytes, took_s), "B/s", "bandwidth"}),
                    elapsed_time(took_s),
                    {"scaled_residual", residual, "1", "scaled residual", Better::lower}},
                   {{"size", order_},
                    {"block", grid_.block},
                    {"grid_rows", grid.rows},
                    {"grid_columns", grid.columns},
                    {"part", part_.value},
                    {"seed", seed_}},
                   optimized,
                   {energy_j, bytes, "B"}});
    }

    std::uint64_t size_ = 0;
    std::uint64_t order_ = 0;  ///< that one, or from the memory
    std::uint64_t seed_ = 1;
    GridOptions grid_{64};
    Bytes part_{std::uint64_t{64} << 10U};
};

JobRegistration<PtransJob> const ptrans_registration;

}  // namespace
}  // namespace weir
