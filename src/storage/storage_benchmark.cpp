// The benchmark `storage`: carries out a pattern through a back-end and reports each phase.
//
// Work model: bytes = blocks x segments x ranks x files, in requests of one transfer; bandwidth = bytes / (last rank's
// end - first rank's start), with opening, syncing and closing inside. Shan and Shalf 2007, section 4.

#include <utility>

#include "bench/benchmark.hpp"
#include "comm/agreement.hpp"
#include "pattern/geometry.hpp"
#include "pattern/pattern_json.hpp"
#include "storage/engine.hpp"
#include "storage/storage_options.hpp"
#include "storage/wrong_words.hpp"

namespace weir {
namespace {

Json to_json(Totals const& totals, Pattern const& pattern) {
    return {{"bytes_written", totals.bytes_written}, {"bytes_read", totals.bytes_read},
            {"operations", totals.operations},       {"files", totals.files},
            {"bytes_on_disk", totals.bytes_on_disk}, {"memory_bytes_per_rank", largest_request(pattern)}};
}

Json to_json(Geometry const& geometry) {
    auto pieces = Json::array();
    for (auto const& run : geometry.runs) {
        pieces.push_back({{"file", run.file}, {"offset", run.offset}, {"length", run.length}, {"rank", run.rank}});
    }
    return {{"phase", geometry.phase}, {"complete", geometry.complete}, {"pieces", std::move(pieces)}};
}

class StorageJob final : public Job {
  public:
    void declare(OptionSet& options) override { options_.declare(options); }

    [[nodiscard]] Json describe(std::uint64_t ranks) override {
        constexpr std::size_t most_runs = 512;
        auto const pattern = checked_pattern(options_.tasks_of(ranks), ranks);
        return {{"totals", to_json(totals(pattern), pattern)},
                {"geometry", to_json(geometry(pattern, most_runs))},
                {"pattern", weir::to_json(pattern)}};
    }

    [[nodiscard]] std::uint64_t cached_bytes(std::uint64_t ranks) override {
        auto const& backend = options_.chosen_backend();
        if (!options_.kind().features().stores || !backend.avoids_caches().empty()) {
            return 0;
        }
        return totals(checked_pattern(options_.tasks_of(ranks), ranks)).bytes_on_disk;
    }

    void run(JobContext& context) override {
        auto const tasks = options_.tasks_of(context.comm.size());
        auto const takes_part = context.comm.rank() < tasks;
        auto const group = context.comm.split(takes_part ? 0 : 1);
        std::optional<Diagnosis> failure;
        try {
            if (takes_part) {
                run_tasks(context, group);
            }
        } catch (Error const& error) {
            failure = error.diagnosis();
        }
        if (tasks < context.comm.size()) {
            // Ranks without a task come here at once and must not disturb the others while they wait.
            context.comm.quiet_barrier();
        }
        agree(context.comm, failure);
    }

  private:
    [[nodiscard]] Pattern checked_pattern(std::uint64_t tasks, std::uint64_t ranks_per_node) const {
        options_.validate_choices();
        return options_.make_pattern(tasks, ranks_per_node);
    }

    void run_tasks(JobContext& context, Communicator const& group) {
        auto const per_node = group.max(group.node().size());
        auto const pattern = checked_pattern(group.size(), per_node);
        auto const& p = options_.parameters;
        Engine engine(options_.chosen_backend(), pattern,
                      {options_.directory, p.check, options_.cache == CacheUse::drop, p.seed, options_.parse_hints()},
                      group, context.clock);
        std::optional<Diagnosis> failure;
        try {
            for (std::uint64_t repetition = 0; repetition < options_.repetitions; ++repetition) {
                run_once(context, engine, pattern, repetition);
            }
        } catch (Error const& error) {
            failure = error.diagnosis();
        }
        if (!options_.keep_files) {
            engine.remove_files();
        }
        if (failure) {
            throw Error(*failure);
        }
    }

    void run_once(JobContext& context, Engine& engine, Pattern const& pattern, std::uint64_t repetition) {
        if (repetition > 0) {
            context.clock.sleep(options_.interval);
        }
        for (auto const& phase : pattern.phases) {
            auto const result = engine.run(phase);
            context.lines.write(sample(context, pattern, result, repetition));
            if (result.words.wrong > 0) {
                throw Error(diagnose(result.words, pattern, engine));
            }
        }
    }

    [[nodiscard]] Json sample(JobContext const& context, Pattern const& pattern, PhaseResult const& result,
                              std::uint64_t repetition) const {
        Json line{{"schema", 1},
                  {"kind", "sample"},
                  {"case", context.case_id},
                  {"benchmark", "storage"},
                  {"repetition", repetition},
                  {"backend", options_.backend},
                  {"files", totals(pattern).files},
                  {"sync", result.writes ? Json(to_text(options_.parameters.sync)) : Json()},
                  {"data", options_.parameters.check ? "stamps" : "fixed"}};
        line.update(weir::to_json(result));
        line["warnings"] = Json::array();
        return line;
    }

    StorageOptions options_;
};

class StorageBenchmark final : public Benchmark {
  public:
    [[nodiscard]] std::string_view name() const override { return "storage"; }
    [[nodiscard]] std::string_view summary() const override {
        return "bandwidth of files: any interface, layout, size and concurrency, honest about caches";
    }
    [[nodiscard]] std::unique_ptr<Job> make_job() const override { return std::make_unique<StorageJob>(); }
};

Registration<Benchmark, StorageBenchmark> const registration;

}  // namespace
}  // namespace weir
