// The benchmark `hpl`: a dense system of linear equations on all ranks, as HPL 2.3, G-HPL of the HPC Challenge.
//
// Work model: 2/3 N^3 + 3/2 N^2 floating-point operations, by the time of the slowest rank for factorisation and
// solution together. The solution is checked with the matrix made anew. The rules of the HPC Challenge (class 2) want a
// matrix of half the system's memory or more.

#include <cmath>
#include <memory>

#include "bench/compute/hpl/hpl_memory.hpp"
#include "bench/compute/hpl/hpl_residual.hpp"
#include "bench/compute/hpl/lu.hpp"
#include "bench/compute/linear/blas_kernel.hpp"
#include "bench/compute/linear/checked_test.hpp"
#include "bench/progress.hpp"
#include "core/json.hpp"
#include "core/proc.hpp"

namespace weir {
namespace {

double hpl_operations(std::uint64_t size) {
    auto const n = static_cast<double>(size);
    return n * n * (2.0 / 3 * n + 3.0 / 2);
}

/// The matrix on its grid. Collective to make.
struct HplSystem {
    HplSystem(Communicator const& comm, GridOptions const& options, std::uint64_t size, Pages pages)
        : grid(comm, options.rows(comm.size()), comm.size() / options.rows(comm.size())),
          matrix(make_together<HplMatrix>(comm, grid, size, options.block, pages)) {}

    ProcessGrid grid;
    std::shared_ptr<HplMatrix> matrix;
};

class HplJob final : public CheckedTest {
  public:
    static constexpr BenchmarkFacts facts{
        .name = "hpl",
        .summary = "a dense system of linear equations on all ranks, as HPL solves it"};
    HplJob() : CheckedTest(facts.name, Pages::large) {}

  private:
    void declare_work(OptionSet& options) override {
        constexpr std::uint64_t most_rows = 1'000'000;
        constexpr std::uint64_t most_block = 4096;
        options.group("system of equations");
        options.add("size", size_, "order of the matrix; 0: from the memory", {{}, most_rows});
        memory_.declare(options);
        options.add("seed", seed_, "of the random matrix, which is the same for every grid and block");
        options.group("distribution");
        grid_.declare(options);
        options.group("algorithm");
        options.add("look_ahead", plan_.look_ahead, "panels that are factored ahead of the update", {{}, most_block});
        options.add("route", plan_.route, "how a panel goes round its row of the grid, in HPL's words");
        options.add("swap", plan_.swap, "how rows are exchanged in a column of the grid");
        options.add("swap_threshold", plan_.swap_threshold, "columns up to which mix takes binary-exchange");
        options.add("least_columns", plan_.least_columns, "columns of a panel that are eliminated one by one",
                    {std::uint64_t{1}, most_block});
        options.group("library");
        options.add("blas", library_, "name or path of the BLAS; auto: the first that is found", Outside{Reach::code});
        options.add("threads", threads_, "threads of the BLAS on each rank", {std::uint64_t{1}, most_block});
    }

    void declare_check(OptionSet& options) override {
        options.add("plant_error", plant_error_, "change one number of the solution before the check, to test it");
    }

    void load() override { blas_ = &Blas::load(library_, threads_); }

    [[nodiscard]] HplMemory memory_for(std::uint64_t ranks) const { return {grid_, ranks, plan_.look_ahead}; }

    /// The order, and a block that is no larger.
    void choose_size(std::uint64_t bytes_of_rank, std::uint64_t ranks) override {
        auto const needed = memory_for(ranks);
        order_ = size_ > 0            ? size_
                 : memory_.is_asked() ? needed.order_of_matrix(bytes_of_rank)
                                      : needed.order_within(bytes_of_rank);
        grid_.fit_block(order_);
    }

    [[nodiscard]] std::uint64_t bytes(std::uint64_t ranks) const override { return memory_for(ranks).bytes(order_); }

    [[nodiscard]] std::string option_within(std::uint64_t bytes, std::uint64_t ranks) const override {
        return "--size " + std::to_string(memory_for(ranks).order_within(bytes));
    }

    [[nodiscard]] Repetition prepare(JobContext& context) override {
        auto const made = std::make_shared<HplSystem>(context.comm, grid_, order_, memory_.pages());
        return [this, made](TestRun const& run) { solve_once(run, made->grid, *made->matrix); };
    }

    void solve_once(TestRun const& run, ProcessGrid const& grid, HplMatrix& matrix) const {
        auto const& comm = run.context.comm;
        auto const& clock = run.context.clock;
        HplElements const elements{matrix.size(), seed_};
        run_together(comm, [&] { matrix.fill(elements); });
        comm.barrier();
        Lu lu(grid, *blas_, plan_, FastClock::shared());
        Progress progress(place_for_progress(run.context), clock);
        run.energy.start();
        auto const from_s = clock.now_s();
        auto x = lu.solve(matrix, grid_.block, [&](std::uint64_t panels) {
            tell(progress, panels, matrix.rows().blocks(), clock.now_s() - from_s);
        });
        auto const took_s = comm.max(clock.now_s() - from_s);
        progress.end();
        auto const energy_j = run.energy.used_j();
        note_phase("hpl: check");
        if (plant_error_) {
            x.front() += 1;
        }
        run_together(comm, [&] { matrix.fill(elements); });
        auto const residual = hpl_residual(grid, *blas_, matrix, x);
        write(run, {took_s, energy_j, lu.times(), residual}, grid);
        expect_right(
            residual.scaled < HplResidual::most, "the solution of HPL is wrong",
            fmt::format("its scaled residual is {:.3g}, and must be below {:.0f}", residual.scaled, HplResidual::most),
            check_blas);
    }

    /// The work that is left falls with the third power of the rows that are.
    static void tell(Progress& progress, std::uint64_t panels, std::uint64_t blocks, double elapsed_s) {
        auto const left = 1 - static_cast<double>(panels) / static_cast<double>(blocks);
        auto const share = left * left * left;
        progress.tell(
            fmt::format("HPL: panel {} of {}, about {:.0f} s left", panels, blocks, elapsed_s * share / (1 - share)));
    }

    struct Solved {
        double took_s;
        std::optional<double> energy_j;
        LuTimes times;  ///< of this rank
        HplResidual residual;
    };

    void write(TestRun const& run, Solved const& solved, ProcessGrid const& grid) const {
        auto const& comm = run.context.comm;
        auto const of_all = comm.all_gather(solved.times);
        auto const& residual = solved.residual;
        auto const mean = [&](double LuTimes::*part) {
            double sum = 0;
            for (auto const& one : of_all) {
                sum += one.*part / static_cast<double>(of_all.size());
            }
            return sum;
        };
        auto const operations = hpl_operations(order_);
        Json const details{{"size", order_},
                           {"block", grid_.block},
                           {"grid_rows", grid.rows},
                           {"grid_columns", grid.columns},
                           {"look_ahead", plan_.look_ahead},
                           {"route", to_text(plan_.route)},
                           {"swap", to_text(plan_.swap)},
                           {"swap_threshold", plan_.swap_threshold},
                           {"least_columns", plan_.least_columns},
                           {"seed", seed_},
                           {"blas", to_json(*blas_)},
                           {"memory", memory_of_system(comm)},
                           {"norms",
                            {{"residual", residual.difference},
                             {"matrix_1", residual.matrix_1},
                             {"matrix_i", residual.matrix},
                             {"solution_1", residual.solution_1},
                             {"solution_i", residual.solution},
                             {"right_side_i", residual.right_side}}},
                           {"mean_s",
                            {{"panel", mean(&LuTimes::panel)},
                             {"waiting", mean(&LuTimes::waiting)},
                             {"swap", mean(&LuTimes::swap)},
                             {"update", mean(&LuTimes::update)},
                             {"solve", mean(&LuTimes::solve)}}}};
        run.write({"hpl",
                   solved.took_s,
                   {{"flop_per_s", per_second(operations, solved.took_s), "flop/s", "floating-point rate"},
                    elapsed_time(solved.took_s),
                    {"scaled_residual", residual.scaled, "1", "scaled residual", Better::lower}},
                   details,
                   optimized,
                   {solved.energy_j, operations, "flop"},
                   warnings_of(*blas_, comm)});
    }

    /// How much of all nodes' memory the matrix takes, for the rules of the HPC Challenge, and the least order that
    /// would take half of it; null where a node does not tell its memory. Collective.
    [[nodiscard]] Json memory_of_system(Communicator const& comm) const {
        auto const mine = total_memory();
        auto const all_tell = comm.max(mine ? std::uint64_t{0} : std::uint64_t{1}) == 0;
        auto const total = comm.sum(comm.node().is_root() && mine ? mine->value : 0);
        if (!all_tell) {
            return nullptr;
        }
        auto const bytes = order_ * order_ * sizeof(double);
        auto const share = static_cast<double>(bytes) / static_cast<double>(total);
        constexpr double least_share = 0.5;
        auto const order = std::ceil(std::sqrt(least_share * static_cast<double>(total) / sizeof(double)));
        return {{"matrix_bytes", bytes},
                {"total_bytes", total},
                {"share", share},
                {"conforming", share >= least_share},
                {"conforming_size", static_cast<std::uint64_t>(order)}};
    }

    std::uint64_t size_ = 0;
    std::uint64_t order_ = 0;  ///< that one, or from the memory
    std::uint64_t seed_ = 1;
    GridOptions grid_{hpl_block};
    LuPlan plan_;
    std::string library_ = "auto";
    std::uint64_t threads_ = 1;
    Blas const* blas_ = nullptr;
};

JobRegistration<HplJob> const hpl_registration;

}  // namespace
}  // namespace weir
