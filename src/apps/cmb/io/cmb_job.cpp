// The benchmark `cmb`: the I/O of MADbench2, an analysis of the cosmic microwave background whose matrices do not fit
// into memory. Phases S writes all matrices, W reads and writes all, C reads them, once or as a triangle of rows and
// columns.
//
// Work model: 8 pixels^2 bytes a matrix, of which each rank has its part in one request. S: bins writes of each rank;
// W: bins reads and, of parts that are `gangs` times as large, bins/gangs writes; C: with m = bins/gangs, m reads of
// such parts, or m (m+1)/2 where it computes. Bandwidth = bytes / the time of the slowest gang from the first request
// of a matrix to the last one's end, with turns and without computing; none of asynchronous requests. Shan, Shalf:
// Using IOR to analyze the I/O performance for HPC platforms (2007), section 6.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "apps/cmb/io/cmb_figures.hpp"
#include "apps/cmb/io/cmb_options.hpp"
#include "apps/cmb/model/busy_source.hpp"
#include "apps/cmb/model/likelihood.hpp"
#include "bench/benchmark.hpp"
#include "bench/compute/linear/rank_memory.hpp"
#include "bench/enough_memory.hpp"
#include "bench/enough_room.hpp"
#include "bench/file_uses.hpp"
#include "bench/measure.hpp"
#include "bench/needed_room.hpp"
#include "bench/sample_line.hpp"
#include "bench/scratch_directory.hpp"
#include "comm/collective_error.hpp"
#include "comm/launch_check.hpp"
#include "core/json.hpp"
#include "core/proc.hpp"
#include "pattern/pattern_json.hpp"
#include "storage/engine/engine.hpp"

namespace weir::cmb {
namespace {

Stage stage_of(Phase const& phase) { return from_text<Stage>(phase.name, "phase"); }

class CmbJob final : public Job {
  public:
    static constexpr BenchmarkFacts facts{
        .name = "cmb",
        .summary = "out-of-core matrices of the cosmic microwave background: the I/O and computing of MADbench2"};

    void declare(OptionSet& options) override { options_.declare(options); }

    [[nodiscard]] Json describe(std::uint64_t ranks) override {
        auto const pattern = pattern_for(ranks);
        auto sums = to_json(totals(pattern));
        sums["cached_bytes"] = fill_of(pattern).bytes;
        sums["memory_bytes_per_rank"] = options_.memory_bytes(options_.shape(ranks), pattern);
        return {{"totals", std::move(sums)}, {"pattern", to_json(pattern)}};
    }

    [[nodiscard]] CacheFill cache_fill(std::uint64_t ranks) override {
        auto const pattern = pattern_for(ranks);
        // Before memory is touched for its files. Which ranks share a node is not known yet.
        refuse_what_finds_no_room(pattern, 1, RoomOf::whole);
        refuse_what_does_not_fit({}, ranks, pattern);
        return fill_of(pattern);
    }

    [[nodiscard]] std::optional<Json> document(std::optional<std::uint64_t> ranks) override {
        return options_.emit_pattern ? std::optional(to_json(pattern_for(ranks.value_or(options_.pattern_ranks))))
                                     : std::nullopt;
    }

    void run(JobContext& context) override {
        refuse_pattern_in_case_file(options_.emit_pattern);
        auto const& comm = context.comm;
        auto const pattern = pattern_for(comm.size());
        refuse_what_does_not_fit(comm, comm.size(), pattern);
        LinearMaker linear = nullptr;
        auto const node = comm.node();
        run_together(comm, [&] {
            check_place(comm);
            if (node.is_root()) {
                refuse_what_finds_no_room(pattern, node.size(), RoomOf::free);
            }
            linear = options_.course().mode == Mode::compute ? need_linear() : nullptr;
        });
        warnings_ = warnings(comm);
        in_own_directory(comm, pattern, [&](std::filesystem::path const& directory) {
            carry_out(context, pattern, linear, directory);
        });
    }

  private:
    [[nodiscard]] Pattern pattern_for(std::uint64_t ranks) const {
        options_.validate_choices(ranks);
        auto pattern = make_pattern(options_.shape(ranks), options_.course());
        options_.backend.object().check_files(pattern);
        return pattern;
    }

    [[nodiscard]] bool uses_page_cache() const {
        return options_.backend.kind().features().stores && !options_.backend.object().avoids_caches();
    }

    [[nodiscard]] CacheFill fill_of(Pattern const& pattern) const {
        return uses_page_cache() ? weir::cache_fill(pattern) : CacheFill{};
    }

    /// Collective.
    [[nodiscard]] Json warnings(Communicator const& comm) const {
        auto const cpus = allowed_cpus();
        auto const one = !cpus.empty() && cpus.find_first_of(",-") == std::string::npos;
        if (!any(comm, one) || !options_.course().asynchronous || !uses_page_cache()) {
            return Json::array();
        }
        return to_json({Warning{"overlap-needs-cpu", "a rank may run on one CPU alone",
                                "the threads of the kernel and of the MPI that move its bytes in the background then "
                                "take turns with its computing",
                                "Give ranks more CPUs (mpirun --bind-to none)."}});
    }

    void refuse_what_does_not_fit(Communicator const& comm, std::uint64_t ranks, Pattern const& pattern) const {
        auto const shape = options_.shape(ranks);
        auto const needed = options_.memory_bytes(shape, pattern);
        refuse_more_memory(comm, needed, [&](std::uint64_t bytes) {
            auto const share = std::sqrt(static_cast<double>(bytes) / static_cast<double>(needed));
            return fmt::format("--pixels {}", static_cast<std::uint64_t>(static_cast<double>(shape.pixels) * share));
        });
    }

    void refuse_what_finds_no_room(Pattern const& pattern, std::uint64_t ranks_here, RoomOf what) const {
        if (options_.check_space && options_.backend.kind().features().stores) {
            refuse_more_room({options_.directory}, least_room(pattern, ranks_here), what);
        }
    }

    void check_place(Communicator const& comm) const {
        if (options_.backend.kind().features().stores) {
            auto const others = options_.foreign_folder ? ForeignFolder::permitted : ForeignFolder::refused;
            check_directory(options_.directory, others, comm);
            if (options_.keep_files) {
                check_whose(options_.directory, others);
            }
        }
    }

    /// A new one, so that no file of the user or of another run is in the way. It stays if files are kept.
    template <class Work>
    void in_own_directory(Communicator const& comm, Pattern const& pattern, Work work) {
        if (!options_.backend.kind().features().stores) {
            work({});
            return;
        }
        ScratchDirectory own(options_.directory, "weir-cmb", comm, DirectoryUse::common, WhenStopped::removed,
                             shares_files(pattern) ? Sharing::needed : Sharing::welcome);
        if (own.apart()) {
            warnings_.push_back(to_json({own_disks(options_.directory, *own.apart())}).front());
        }
        std::optional<Diagnosis> failure;
        keep_failure(failure, [&] { work(own.path()); });
        if (failure || !options_.keep_files) {
            keep_failure(failure, [&] { own.remove(); });
        }
        throw_kept(failure);
    }

    void carry_out(JobContext& context, Pattern const& pattern, LinearMaker linear,
                   std::filesystem::path const& directory) const {
        auto const& comm = context.comm;
        EngineSettings settings{.directory = options_.directory, .drop_caches = options_.cache == CacheUse::drop};
        settings.hints = options_.hints.read(comm);
        for (auto const& phase : pattern.phases) {
            settings.meter.most_records = std::max<std::size_t>(settings.meter.most_records, requests_of_a_rank(phase));
        }
        if (!directory.empty()) {
            settings.own_directories = {directory};
        }
        auto const source = source_for(context, linear);
        auto const gang = comm.split(options_.shape(comm.size()).gang_of(Rank{comm.rank()}));
        Engine engine(options_.backend.object(), comm, std::move(settings), context.clock);
        engine.declare(pattern);
        options_.measuring.each(context.clock,
                                [&](Turn const& turn) { repeat(context, turn, pattern, engine, gang, *source); });
        if (!options_.keep_files) {
            engine.remove_files();
        }
    }

    void repeat(JobContext& context, Turn const& turn, Pattern const& pattern, Engine& engine, Communicator const& gang,
                PhaseSource& source) const {
        std::optional<Figures> whole;
        std::string started;
        for (auto const& phase : pattern.phases) {
            source.begin(stage_of(phase));
            engine.run(phase, &source);
            auto const result = engine.report(phase.name);
            auto const figures = figures_of(result, options_.course(), source.computing_s(), context.comm, gang);
            if (whole) {
                whole->add(figures);
            } else {
                whole = figures;
                started = result.started_at;
            }
            if (turn.repetition) {
                write_phase(context, *turn.repetition, result, figures);
            }
        }
        if (turn.repetition) {
            write_whole(context, *turn.repetition, started, *whole, source);
        }
    }

    [[nodiscard]] std::unique_ptr<PhaseSource> source_for(JobContext const& context, LinearMaker linear) const {
        if (linear == nullptr) {
            return std::make_unique<BusySource>(context.clock);
        }
        return std::make_unique<Likelihood>(options_.shape(context.comm.size()), context.comm, linear, context.clock);
    }

    void write_phase(JobContext const& context, std::uint64_t repetition, PhaseResult const& result,
                     Figures const& figures) const {
        auto const files = options_.course().layout == Layout::shared ? 1 : context.comm.size();
        Json common{{"backend", options_.backend.name()},
                    {"files", files},
                    {"sync", result.writes ? Json(options_.course().sync ? "close" : "never") : Json()}};
        common.update(weir::to_json(result));
        context.lines.write(
            sample_line(context, {repetition, std::move(common), metrics_of(figures, options_.course().mode),
                                  details(context, figures), warnings_}));
    }

    void write_whole(JobContext const& context, std::uint64_t repetition, std::string const& started,
                     Figures const& figures, PhaseSource const& source) const {
        Json common{{"phase", "run"},
                    {"started_at", started},
                    {"ranks", context.comm.size()},
                    {"backend", options_.backend.name()},
                    {"elapsed_s", figures.elapsed_s}};
        auto metrics = metrics_of(figures, options_.course().mode);
        result_first(metrics, "elapsed_s");
        auto all = details(context, figures);
        all["dC"] = source.correction().empty() ? Json() : Json(source.correction());
        context.lines.write(
            sample_line(context, {repetition, std::move(common), std::move(metrics), std::move(all), warnings_}));
    }

    [[nodiscard]] Json details(JobContext const& context, Figures const& figures) const {
        auto const shape = options_.shape(context.comm.size());
        auto const course = options_.course();
        return {{"mode", to_text(course.mode)},
                {"pixels", shape.pixels},
                {"bins", shape.bins},
                {"gangs", shape.gangs},
                {"block", shape.block},
                {"layout", to_text(course.layout)},
                {"read_turns", course.read_turns},
                {"write_turns", course.write_turns},
                {"asynchronous", course.asynchronous},
                {"times", times_of(figures, course)}};
    }

    CmbOptions options_;
    Json warnings_ = Json::array();
};

JobRegistration<CmbJob> const registration;

}  // namespace
}  // namespace weir::cmb
