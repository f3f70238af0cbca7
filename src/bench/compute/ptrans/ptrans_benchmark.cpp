// The benchmark `ptrans`: A <- beta A + alpha B^T of matrices over all ranks, as the HPC Challenge's PTRANS.
//
// Work model: 8 n^2 bytes, those of one matrix, by the time of the slowest rank. Each rank reads B and reads and writes
// A, and half of B or more crosses from rank to rank; those of a node read it in place, if B is of usual pages. Checked
// element by element: max |A - expected| over (eps n max |expected|), at most 16.

#include <algorithm>
#include <cmath>
#include <memory>

#include "bench/compute/linear/cache_share.hpp"
#include "bench/compute/linear/energy_meter.hpp"
#include "bench/compute/linear/numbers.hpp"
#include "bench/compute/linear/rank_memory.hpp"
#include "bench/compute/linear/test_sample.hpp"
#include "bench/compute/ptrans/transpose_add.hpp"
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

constexpr double ptrans_alpha = 1.0;
constexpr double ptrans_beta = 1.0;
constexpr double most_ptrans_residual = 16;
constexpr std::uint64_t ptrans_matrices = 2;

class PtransJob final : public Job {
  public:
    static constexpr BenchmarkFacts facts{.name = "ptrans", .summary = "transposition of a matrix over all ranks"};

    void declare(OptionSet& options) override {
        constexpr std::uint64_t most_rows = 1'000'000;
        options.group("matrices");
        options.add("size", size_, "order of the two matrices; 0: half of HPL's, from the memory", {{}, most_rows});
        memory_.declare(options);
        options.add("seed", seed_, "of the random matrices");
        options.group("distribution");
        grid_.declare(options);
        options.add("part", part_, "bytes of a message, about");
        options.group("measuring");
        options.add("plant_error", plant_error_, "change one number before the check, to test it");
        repetitions_.declare(options);
    }

    [[nodiscard]] Json describe(std::uint64_t ranks) override {
        auto const size = fitted_size(memory_.of_rank_here(ranks), ranks);
        return describe_without_files(bytes_of(size, ranks));
    }

    void run(JobContext& context) override {
        auto const& comm = context.comm;
        auto const size = fitted_size(memory_.of_rank(comm), comm.size());
        refuse_more_memory(comm, bytes_of(size, comm.size()), [&](std::uint64_t bytes) {
            auto const numbers = static_cast<double>(bytes / ptrans_matrices / sizeof(double) * comm.size());
            return "--size " + std::to_string(static_cast<std::uint64_t>(std::sqrt(numbers)));
        });
        cache_share_ = CacheShare(comm, bytes_of(size, comm.size()), Sharing::star);
        ProcessGrid const grid(comm, grid_.rows(comm.size()), comm.size() / grid_.rows(comm.size()));
        GridShape const shape(grid, size, grid_.block);
        auto const bytes = std::max<std::uint64_t>(shape.local_rows * shape.local_columns, 1) * sizeof(double);
        std::unique_ptr<Buffer> memory;
        run_together(comm, [&] { memory = std::make_unique<Buffer>(bytes, memory_.pages()); });
        NodeBuffer const other(comm, bytes, memory_.pages());
        TransposeAdd transpose(grid, shape, other, part_.value);
        auto* const a = reinterpret_cast<double*>(memory->bytes().data());
        auto* const b = reinterpret_cast<double*>(other.of(comm.rank()));
        EnergyMeter energy(comm);
        repetitions_.each(context.clock,
                          [&](Turn const& turn) { run_once(context, turn, grid, shape, transpose, a, b, energy); });
    }

  private:
    [[nodiscard]] std::uint64_t bytes_of(std::uint64_t size, std::uint64_t ranks) const {
        auto const rows = grid_.rows(ranks);
        return ptrans_matrices * sizeof(double) * BlockCyclic{size, grid_.block, rows}.count(0) *
               BlockCyclic{size, grid_.block, ranks / rows}.count(0);
    }

    /// The order, and a block that is no larger.
    std::uint64_t fitted_size(std::uint64_t bytes_of_rank, std::uint64_t ranks) {
        auto const hpl = std::sqrt(static_cast<double>(bytes_of_rank) * static_cast<double>(ranks) / sizeof(double));
        auto const size = size_ > 0 ? size_ : std::max<std::uint64_t>(static_cast<std::uint64_t>(hpl) / 2, 1);
        grid_.fit_block(size);
        return size;
    }

    /// set(place in the local matrix, row, column)
    template <class Set>
    static void for_each(ProcessGrid const& grid, GridShape const& shape, Set set) {
        for (std::uint64_t column = 0; column < shape.local_columns; ++column) {
            for (std::uint64_t row = 0; row < shape.local_rows; ++row) {
                set(column * shape.local_rows + row, shape.rows.global(row, grid.row),
                    shape.columns.global(column, grid.column));
            }
        }
    }

    void run_once(JobContext& context, Turn const& turn, ProcessGrid const& grid, GridShape const& shape,
                  TransposeAdd& transpose, double* a, double* b, EnergyMeter& energy) {
        auto const& comm = context.comm;
        auto const size = shape.rows.size;
        CentredRandom const number(seed_);
        auto const element = [&](std::uint64_t matrix, std::uint64_t row, std::uint64_t column) {
            return number(ptrans_matrices * (column * size + row) + matrix);
        };
        auto const started = utc_time();
        note_phase("ptrans");
        for_each(grid, shape, [&](std::uint64_t at, std::uint64_t row, std::uint64_t column) {
            a[at] = element(0, row, column);
            b[at] = element(1, row, column);
        });
        run_together(comm, [] { throw_if_interrupted(); });
        energy.start();
        comm.barrier();
        auto const from_s = FastClock::shared().now_s();
        transpose.run(ptrans_alpha, ptrans_beta, a);
        comm.barrier();  // who began late has not ended before the others
        auto const took_s = comm.max(FastClock::shared().now_s() - from_s);
        auto const energy_j = energy.used_j();
        if (plant_error_ && comm.is_root()) {
            a[0] += 1;
        }
        GreatestMagnitude off;
        GreatestMagnitude expected;
        for_each(grid, shape, [&](std::uint64_t at, std::uint64_t row, std::uint64_t column) {
            auto const number = ptrans_beta * element(0, row, column) + ptrans_alpha * element(1, column, row);
            off.see(a[at] - number);
            expected.see(number);
        });
        note_phase("");
        constexpr double eps = 0x1p-53;
        auto const difference = greatest_magnitude(comm.all_gather(off.value()));
        auto const residual = difference / (eps * static_cast<double>(size) * comm.max(expected.value()));
        write(context, turn, started, grid, size, took_s, residual, energy_j);
        if (!(residual <= most_ptrans_residual)) {
            throw Error({"the transposed matrix is wrong",
                         fmt::format("its scaled residual is {:.3g}, and may be {:.0f} at most", residual,
                                     most_ptrans_residual),
                         "Check the memory and the network.", ExitCode::wrong_data});
        }
    }

    void write(JobContext& context, Turn const& turn, std::string const& started, ProcessGrid const& grid,
               std::uint64_t size, double took_s, double residual, std::optional<double> energy_j) const {
        auto const n = static_cast<double>(size);
        auto const bytes = sizeof(double) * n * n;
        write_sample(context, turn,
                     {"ptrans",
                      started,
                      took_s,
                      {{"bandwidth_bytes_per_s", per_second(bytes, took_s), "B/s", "bandwidth"},
                       elapsed_time(took_s),
                       {"scaled_residual", residual, "1", "scaled residual", Better::lower}},
                      {{"size", size},
                       {"block", grid_.block},
                       {"grid_rows", grid.rows},
                       {"grid_columns", grid.columns},
                       {"part", part_.value},
                       {"seed", seed_}},
                      optimized,
                      {energy_j, bytes, "B"},
                      Json::array(),
                      cache_share_});
    }

    std::uint64_t size_ = 0;
    RankMemory memory_;
    std::uint64_t seed_ = 1;
    GridOptions grid_{64};
    Bytes part_{std::uint64_t{64} << 10U};
    bool plant_error_ = false;
    CacheShare cache_share_;
    Repetitions repetitions_;
};

JobRegistration<PtransJob> const ptrans_registration;

}  // namespace
}  // namespace weir
