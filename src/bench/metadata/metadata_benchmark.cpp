// The benchmark `metadata`: the cost of creating, opening, closing and removing files, and of many ranks opening one
// file.
//
// Work model: operations = files of all ranks in each phase (of common files: opens of all ranks); rate = operations /
// (last rank's end - first rank's start). Every rank begins a phase at the same time.

#include <utility>

#include "bench/metadata/file_phases.hpp"
#include "bench/sample_line.hpp"
#include "comm/clock_offset.hpp"
#include "comm/collective_error.hpp"
#include "core/foreign_link.hpp"
#include "core/json.hpp"
#include "core/memory.hpp"
#include "core/proc.hpp"
#include "core/random.hpp"
#include "core/rank_progress.hpp"
#include "storage/engine/stamp.hpp"

namespace weir {
namespace {

class MetadataJob final : public Job {
  public:
    static constexpr BenchmarkFacts facts{
        .name = "metadata",
        .summary = "rates of creating, opening, closing and removing files, and of opening one file by all ranks"};

    void declare(OptionSet& options) override { options_.declare(options); }

    [[nodiscard]] Json describe(std::uint64_t ranks) override {
        options_.validate_choices();
        auto const totals = options_.totals(ranks);
        return {{"totals",
                 {{"bytes_written", totals.bytes_written},
                  {"bytes_read", totals.bytes_read},
                  {"operations", totals.operations},
                  {"files", totals.inodes},
                  {"bytes_on_disk", totals.bytes_on_disk},
                  {"cached_bytes", totals.bytes_on_disk},
                  {"memory_bytes_per_rank", options_.buffer_bytes()}}}};
    }

    [[nodiscard]] CacheFill cache_fill(std::uint64_t ranks) override {
        options_.validate_choices();
        return {options_.totals(ranks).bytes_on_disk};
    }

    void run(JobContext& context) override {
        options_.validate_choices();
        std::optional<Buffer> buffer;
        run_together(context.comm, [&] {
            refuse_foreign_links(options_.directory);
            auto const bytes = buffer.emplace((options_.buffer_bytes() + 7) / 8 * 8).bytes();
            // Not all bytes equal: storage that compresses or deduplicates would look too fast.
            Stamp(mix(options_.seed), context.comm.rank()).fill(bytes, 0);
        });
        MetadataSetting const setting{options_, context.comm, context.clock,
                                      offset_to_root(context.comm, context.clock),
                                      buffer->bytes().first(options_.buffer_bytes())};
        options_.measuring.each(context.clock, [&](Turn const& turn) { repeat(context, setting, turn); });
    }

  private:
    /// One repetition: all phases once.
    void repeat(JobContext& context, MetadataSetting const& setting, Turn const& turn) {
        auto const files = options_.layout == MetadataLayout::common_file ? common_file(setting) : many_files(setting);
        std::optional<Diagnosis> failure;
        keep_failure(failure, [&] {
            for (auto const phase : options_.phases()) {
                MetadataPhase result;
                result.phase = phase;
                result.started_at = utc_time();
                note_phase(to_text(phase));
                files->run(result);
                auto line = sample(context, result, turn.repetition.value_or(0));
                line["warnings"] = files->warnings();
                if (turn.repetition) {
                    context.lines.write(line);
                }
            }
        });
        keep_failure(failure, [&] { files->remove(); });
        throw_kept(failure);
    }

    /// Collective.
    [[nodiscard]] Json sample(JobContext const& context, MetadataPhase const& phase, std::uint64_t repetition) const {
        auto const common_file = options_.layout == MetadataLayout::common_file;
        Json common{{"files", options_.totals(context.comm.size()).files}};
        common.update(to_json(phase, context.comm));
        auto const rate = operation_rate(common["operations"], common["elapsed_s"]);
        Json const details{{"interface", to_text(options_.interface)},
                           {"layout", to_text(options_.layout)},
                           {"opening", common_file ? Json(to_text(options_.opening)) : Json()},
                           {"file_bytes", options_.file_bytes.value},
                           {"opened_by_ranks", phase.opened_by_ranks ? Json(*phase.opened_by_ranks) : Json()}};
        return sample_line(context, {repetition, std::move(common), {rate}, details});
    }

    MetadataOptions options_;
};

JobRegistration<MetadataJob> const registration;

}  // namespace
}  // namespace weir
