// Work model: what a pattern of dumps asks for. Bandwidth = bytes / the slowest rank's time in dumps, or in the
// restart.

#include "apps/common/run/application_job.hpp"

#include <fmt/format.h>

#include "apps/common/run/dump_cycle.hpp"
#include "bench/check_directory.hpp"
#include "bench/sample_line.hpp"
#include "bench/scratch_directory.hpp"
#include "comm/agreement.hpp"
#include "core/enum_names.hpp"
#include "core/error.hpp"
#include "core/interrupt.hpp"
#include "core/proc.hpp"
#include "pattern/pattern_json.hpp"

namespace weir {
namespace {

/// One time that a program is run: what it took this rank.
struct Measured {
    std::string started_at;
    double read_s = 0;
    double write_s = 0;
    double compute_s = 0;
    double elapsed_s = 0;
    std::uint64_t dumps = 0;
    bool has_read = false;
    Tally read, written;
};

/// Runs a program once. Its members are collective.
class OneRun {
  public:
    OneRun(JobContext& context, std::unique_ptr<Program> program, DumpCycle* files)
        : comm_(context.comm), clock_(context.clock), program_(std::move(program)), files_(files) {}

    /// From the restart, if it begins with one, through all steps; what was done before a failure is noted.
    void run(bool restarted, DumpTimes const& times) {
        comm_.barrier();
        measured_.started_at = utc_time();
        auto const start_s = clock_.now_s();
        std::optional<Diagnosis> failure;
        keep_failure(failure, [&] {
            if (restarted) {
                read();
            }
            for (std::uint64_t step = 1; step <= times.steps; ++step) {
                run_together(comm_, [] { throw_if_interrupted(); });
                timed(measured_.compute_s, [&] { program_->advance(); });
                if (times.is_due(program_->step())) {
                    dump();
                }
            }
        });
        measured_.elapsed_s = clock_.now_s() - start_s;
        if (failure) {
            throw Error(*failure);
        }
    }

    [[nodiscard]] Measured const& measured() const { return measured_; }
    [[nodiscard]] Program const& program() const { return *program_; }

  private:
    template <class Work>
    void timed(double& sum_s, Work work) {
        auto const from_s = clock_.now_s();
        work();
        sum_s += clock_.now_s() - from_s;
    }
    void read() {
        timed(measured_.read_s, [&] { files_->restart(*program_); });
        measured_.has_read = true;
        measured_.read = files_->calls();
        files_->forget();
    }
    void dump() {
        comm_.barrier();  // who comes first is not to wait inside
        timed(measured_.write_s, [&] { files_->dump(*program_); });
        measured_.written = files_->calls();
        ++measured_.dumps;
    }

    Communicator const& comm_;
    Clock& clock_;
    std::unique_ptr<Program> program_;
    DumpCycle* files_;
    Measured measured_;
};

Json calls(Tally const& made) {
    auto json = Json::object();
    for (std::size_t i = 0; i < made.calls.size(); ++i) {
        if (made.calls[i].count > 0) {
            json[std::string(enum_names(IoCall{})[i])] = {{"count", made.calls[i].count},
                                                          {"bytes", made.calls[i].bytes}};
        }
    }
    return json;
}

/// Of the restart, or of the dumps. Collective.
Sample transfer_sample(Measured const& mine, IoCall call, std::uint64_t repetition, std::string const& backend,
                       Communicator const& comm) {
    auto const reads = call == IoCall::read;
    auto const made = sum_over_ranks(reads ? mine.read : mine.written, comm);
    auto const elapsed_s = comm.max(reads ? mine.read_s : mine.write_s);
    auto const bytes = made[call].bytes;
    auto const operations = made[call].count;
    return {
        repetition,
        {{"phase", reads ? "read" : "write"},
         {"started_at", mine.started_at},
         {"ranks", comm.size()},
         {"backend", backend},
         {"bytes", bytes},
         {"bytes_written", reads ? 0 : bytes},
         {"bytes_read", reads ? bytes : 0},
         {"operations", operations},
         {"elapsed_s", elapsed_s},
         {"calls", calls(made)}},
        {bandwidth(static_cast<double>(bytes), elapsed_s), operation_rate(static_cast<double>(operations), elapsed_s)},
        reads ? Json::object() : Json{{"dumps", mine.dumps}}};
}

/// Of all of it. Collective.
Sample run_sample(Measured const& mine, Program const& program, std::uint64_t repetition, Communicator const& comm) {
    auto const elapsed_s = comm.max(mine.elapsed_s);
    std::vector<Metric> metrics{elapsed_time(elapsed_s)};
    metrics.push_back(over_all_ranks({"compute_s", mine.compute_s, "s", "time computing", Better::lower}, comm));
    for (auto const& metric : program.metrics(mine.compute_s)) {
        metrics.push_back(over_all_ranks(metric, comm));
    }
    Json common{{"phase", "run"}, {"started_at", mine.started_at}, {"ranks", comm.size()}, {"elapsed_s", elapsed_s}};
    return {repetition, std::move(common), std::move(metrics), program.details()};
}

}  // namespace

void ApplicationJob::declare(OptionSet& options) {
    constexpr std::uint64_t most_steps = std::uint64_t{1} << 40;
    application_->declare(options);
    options.group("run");
    options.add("steps", steps_, "time steps, counted from the restart if there is one",
                {std::uint64_t{0}, most_steps});
    options.group("dumps");
    options.add("dump_every", dump_every_, "dump after each step that is a multiple of this; 0: never",
                {std::uint64_t{0}, most_steps});
    options.add("restarted", restarted_, "begin with a restart: of the initial state, written before and not counted");
    backend_.declare(options, "the way to storage");
    options.add("dir", directory_, "the directory for dumps");
    options.add("keep", keep_, "keep the files of the last repetition; those before have a directory of their own");
    options.add("foreign_folder", foreign_folder_, "let root keep files in a directory that belongs to another user");
    options.group("measuring");
    measuring_.declare(options);
    options.add("emit_pattern", emit_pattern_,
                "print the pattern of the run's files, for weir replay, in place of running");
    backend_.declare_own(options);
}

void ApplicationJob::validate_choices(std::uint64_t ranks) const {
    backend_.validate_choice();
    validate(!restarted_ || backend_.kind().features().stores,
             fmt::format("a restart contradicts backend = {}", backend_.name()), "it stores nothing",
             "Choose another back-end, or begin without a restart.");
    application_->validate_choices(ranks);
}

Pattern ApplicationJob::pattern(std::uint64_t ranks) const {
    validate_choices(ranks);
    return pattern_of_dumps(application_->plan(ranks), times(), restarted_);
}

Json ApplicationJob::describe(std::uint64_t ranks) {
    auto const asked = pattern(ranks);
    auto const sums = totals(asked);
    auto const buffer = largest_request(asked);
    return {{"totals",
             {{"bytes_written", sums.bytes_written},
              {"bytes_read", sums.bytes_read},
              {"operations", sums.operations},
              {"files", sums.files},
              {"bytes_on_disk", sums.bytes_on_disk},
              {"cached_bytes", sums.bytes_on_disk},
              {"memory_bytes_per_rank",
               application_->memory_bytes(ranks) + buffer + backend_.object().memory_bytes(buffer)}}},
            {"pattern", to_json(asked)}};
}

CacheFill ApplicationJob::cache_fill(std::uint64_t ranks) { return {totals(pattern(ranks)).bytes_on_disk}; }

std::optional<Json> ApplicationJob::document(std::optional<std::uint64_t> ranks) {
    if (!emit_pattern_) {
        return {};
    }
    auto const asked = pattern(ranks.value_or(1));
    validate(!asked.phases.empty(), "this run has no pattern", "it reads no restart and makes no dump",
             "Take as many steps as dump_every at least, or begin with a restart.");
    return to_json(asked);
}

void ApplicationJob::run(JobContext& context) {
    validate(!emit_pattern_, "a case file asks for emit_pattern", "its output would be no line of results",
             "Use `weir-core describe`, or give the options on the command line.");
    validate_choices(context.comm.size());
    if (has_files()) {
        run_together(context.comm, [&] {
            check_directory(directory_);
            if (keep_) {
                check_whose(directory_, foreign_folder_ ? ForeignFolder::permitted : ForeignFolder::refused);
            }
        });
    }
    measuring_.each(context.clock, [&](Turn const& turn) {
        if (!has_files() || (keep_ && turn.is_last)) {
            repeat(context, turn, directory_);
            return;
        }
        ScratchDirectory own(directory_, "weir-" + context.benchmark, context.comm);
        std::optional<Diagnosis> failure;
        keep_failure(failure, [&] { repeat(context, turn, own.path()); });
        keep_failure(failure, [&] { own.remove(); });
        if (failure) {
            throw Error(*failure);
        }
    });
}

/// Of a run that fails, the parts that it had finished are reported.
void ApplicationJob::repeat(JobContext& context, Turn const& turn, std::filesystem::path const& directory) {
    auto const& comm = context.comm;
    std::optional<DumpCycle> files;
    if (has_files()) {
        auto const collective = backend_.kind().features().collective;
        files.emplace(application_->plan(comm.size()), backend_.object(), collective, comm, directory, context.clock);
    }
    if (restarted_) {
        files->dump(*application_->start(comm));
        files->forget();
    }
    OneRun one(context, application_->start(comm), files ? &*files : nullptr);
    std::optional<Diagnosis> failure;
    keep_failure(failure, [&] { one.run(restarted_, times()); });
    if (turn.repetition) {
        auto const write = [&](Sample const& sample) { context.lines.write(sample_line(context, sample)); };
        auto const& measured = one.measured();
        if (measured.has_read) {
            write(transfer_sample(measured, IoCall::read, *turn.repetition, backend_.name(), comm));
        }
        if (measured.dumps > 0) {
            write(transfer_sample(measured, IoCall::write, *turn.repetition, backend_.name(), comm));
        }
        if (!failure) {
            write(run_sample(measured, one.program(), *turn.repetition, comm));
        }
    }
    if (failure) {
        throw Error(*failure);
    }
}

}  // namespace weir
