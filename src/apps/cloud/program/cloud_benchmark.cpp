// The benchmark `cloud`: a gas cloud that collapses under its own gravity, with the dumps and restarts of Thakur, Gropp
// and Lusk (1996), section 3.2.
//
// Work model: a dump writes 12 arrays of 4 bytes and 4 of 1 byte a cell, 52 bytes a cell, and 6 headers of 24 bytes; a
// restart reads 24 bytes a cell and a header. Bandwidth = bytes / the slowest rank's time in dumps, or in the restart.

#include <fmt/format.h>

#include <cstdio>
#include <optional>
#include <utility>

#include "apps/cloud/program/repetition.hpp"
#include "apps/cloud/program/run_shape.hpp"
#include "bench/check_directory.hpp"
#include "bench/directory_claim.hpp"
#include "bench/scratch_directory.hpp"
#include "comm/agreement.hpp"
#include "core/talk.hpp"
#include "pattern/pattern_json.hpp"

namespace weir::cloud {
namespace {

class CloudJob final : public Job {
  public:
    void declare(OptionSet& options) override { options_.declare(options); }

    [[nodiscard]] Json describe(std::uint64_t ranks) override {
        auto const pattern = pattern_for(ranks);
        auto const sums = totals(pattern);
        return {{"totals",
                 {{"bytes_written", sums.bytes_written},
                  {"bytes_read", sums.bytes_read},
                  {"operations", sums.operations},
                  {"files", sums.files},
                  {"bytes_on_disk", sums.bytes_on_disk},
                  {"cached_bytes", sums.bytes_on_disk},
                  {"memory_bytes_per_rank", memory_bytes(volume(options_.grid().cells) / static_cast<Index>(ranks))}}},
                {"pattern", weir::to_json(pattern)}};
    }

    [[nodiscard]] CacheFill cache_fill(std::uint64_t ranks) override {
        options_.validate_choices();
        check_memory(volume(options_.grid().cells) / static_cast<Index>(ranks), 1);
        // As if the restart were of step 0: every rank would have to open it, and that is no request of the run.
        auto options = options_;
        options.restarted = options_.reads();
        options.restart.clear();
        return {bytes_left(shape_of(options, ranks))};
    }

    [[nodiscard]] std::optional<Json> document(std::optional<std::uint64_t> ranks) override {
        if (!options_.emit_pattern) {
            return {};
        }
        auto const pattern = pattern_for(ranks);
        validate(!pattern.phases.empty(), "this run has no pattern", "it reads no restart and makes no dump",
                 "Take as many steps as dump_every at least, or begin with a restart.");
        return weir::to_json(pattern);
    }

    void run(JobContext& context) override {
        options_.validate_choices();
        validate(!options_.emit_pattern, "a case file asks for emit_pattern", "its output would be no line of results",
                 "Use `weir-core describe`, or give the options on the command line.");
        options_.check_fit(static_cast<Index>(context.comm.size()));
        if (options_.has_files()) {
            run_together(context.comm, [&] {
                check_directory(options_.directory);
                if (options_.keep) {
                    check_whose(options_.directory,
                                options_.foreign_folder ? ForeignFolder::permitted : ForeignFolder::refused);
                }
            });
        }
        std::optional<DirectoryClaim> claim;
        if (options_.keep && (options_.restarted || options_.dump_every > 0)) {
            claim.emplace(options_.directory, "weir-cloud", "a gas cloud", context.comm);
        }
        options_.measuring.each(context.clock, [&](Turn const& turn) {
            if (!options_.has_files() || (options_.keep && turn.is_last)) {
                repeat(context, options_.directory, turn);
            } else {
                repeat_apart(context, turn);
            }
        });
    }

  private:
    [[nodiscard]] Pattern pattern_for(std::optional<std::uint64_t> ranks) const {
        options_.validate_choices();
        auto const shape = shape_of(options_, ranks);
        if (options_.has_files()) {
            return pattern_of(shape);
        }
        Pattern none;
        none.name = "cloud";
        none.ranks = static_cast<std::uint64_t>(volume(shape.ranks));
        return none;
    }

    /// In a directory that is new, so that each repetition makes its files, and that goes afterwards.
    void repeat_apart(JobContext& context, Turn const& turn) {
        ScratchDirectory own(options_.directory, "weir-cloud", context.comm);
        std::optional<Diagnosis> failure;
        keep_failure(failure, [&] { repeat(context, own.path(), turn); });
        keep_failure(failure, [&] { own.remove(); });
        if (failure) {
            throw Error(*failure);
        }
    }

    /// Of one that fails, the parts that it had finished are reported.
    void repeat(JobContext& context, std::filesystem::path const& directory, Turn const& turn) {
        Repetition one(options_, context, directory);
        std::optional<Diagnosis> failure;
        keep_failure(failure, [&] { one.run(); });
        if (turn.repetition) {
            auto const result = one.result();
            report_parts(context, *turn.repetition, result);
            if (!failure) {
                report_run(context, *turn.repetition, result);
            }
        }
        if (failure) {
            throw Error(*failure);
        }
    }

    static void report_parts(JobContext& context, std::uint64_t repetition, RunResult const& result) {
        if (result.has_read) {
            context.lines.write(sample_line(context, read_sample(result, repetition)));
        }
        if (result.dumps > 0) {
            context.lines.write(sample_line(context, write_sample(result, repetition)));
        }
    }

    static void report_run(JobContext& context, std::uint64_t repetition, RunResult const& result) {
        auto const run = run_sample(result, repetition);
        context.lines.write(sample_line(context, run));
        for (auto const& warning : run.warnings) {
            if (context.comm.is_root()) {
                say(fmt::format("warning: {} ({}) {}", warning["problem"].get<std::string>(),
                                warning["why"].get<std::string>(), warning["advice"].get<std::string>()));
            }
        }
    }

    CloudOptions options_;
};

class CloudBenchmark final : public Benchmark {
  public:
    [[nodiscard]] std::string_view name() const override { return "cloud"; }
    [[nodiscard]] std::string_view summary() const override {
        return "a gas cloud that collapses under its own gravity, with its dumps and restarts";
    }
    [[nodiscard]] std::unique_ptr<Job> make_job() const override { return std::make_unique<CloudJob>(); }
};

Registration<Benchmark, CloudBenchmark> const registration;

}  // namespace
}  // namespace weir::cloud
