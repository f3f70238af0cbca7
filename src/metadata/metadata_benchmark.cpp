// The benchmark `metadata`: what creating, opening, closing and removing files costs, and what it costs many ranks to
// open one file.
//
// Work model: operations = files of all ranks in each phase (of common files: opens of all ranks); rate = operations /
// (last rank's end - first rank's start). Every rank begins a phase at the same time.

#include <utility>

#include "bench/benchmark.hpp"
#include "comm/agreement.hpp"
#include "comm/clock_offset.hpp"
#include "core/memory.hpp"
#include "core/proc.hpp"
#include "core/random.hpp"
#include "metadata/common_file.hpp"
#include "metadata/many_files.hpp"
#include "storage/stamp.hpp"

namespace weir {
namespace {

class MetadataJob final : public Job {
  public:
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
            auto const bytes = buffer.emplace((options_.buffer_bytes() + 7) / 8 * 8).bytes();
            // Not all the same byte: storage that compresses or shares equal blocks would look too fast.
            Stamp(mix(options_.seed), context.comm.rank()).fill(bytes, 0);
        });
        Setting const setting{offset_to_root(context.comm, context.clock),
                              buffer->bytes().first(options_.buffer_bytes())};
        for (std::uint64_t i = 0; i < options_.warm_up + options_.repetitions; ++i) {
            if (i > 0) {
                context.clock.sleep(options_.interval);
            }
            auto const repetition = static_cast<std::int64_t>(i) - static_cast<std::int64_t>(options_.warm_up);
            if (options_.layout == FileLayout::common_file) {
                repeat<CommonFile>(context, setting, repetition);
            } else {
                repeat<ManyFiles>(context, setting, repetition);
            }
        }
    }

  private:
    /// What all repetitions share.
    struct Setting {
        double clock_offset_s;
        std::span<std::byte> buffer;
    };

    /// Everything once; before repetition 0, it is warm-up.
    template <class Files>
    void repeat(JobContext& context, Setting const& setting, std::int64_t repetition) {
        Files files(options_, context.comm, context.clock, setting.clock_offset_s, setting.buffer);
        std::optional<Diagnosis> failure;
        keep_failure(failure, [&] {
            for (auto const phase : options_.phases()) {
                MetadataPhase result;
                result.phase = phase;
                result.started_at = utc_time();
                files.run(result);
                auto const line = sample(context, result, repetition);
                if (repetition >= 0) {
                    context.lines.write(line);
                }
            }
        });
        keep_failure(failure, [&] { files.remove(); });
        if (failure) {
            throw Error(*failure);
        }
    }

    /// Collective.
    [[nodiscard]] Json sample(JobContext const& context, MetadataPhase const& phase, std::int64_t repetition) const {
        auto const common = options_.layout == FileLayout::common_file;
        Json line{{"schema", 1},
                  {"kind", "sample"},
                  {"case", context.case_id},
                  {"benchmark", "metadata"},
                  {"repetition", repetition},
                  {"interface", to_text(options_.interface)},
                  {"layout", to_text(options_.layout)},
                  {"opening", common ? Json(to_text(options_.opening)) : Json()},
                  {"files", options_.totals(context.comm.size()).files},
                  {"file_bytes", options_.file_bytes.value}};
        line.update(to_json(phase, context.comm));
        line["warnings"] = Json::array();
        return line;
    }

    MetadataOptions options_;
};

class MetadataBenchmark final : public Benchmark {
  public:
    [[nodiscard]] std::string_view name() const override { return "metadata"; }
    [[nodiscard]] std::string_view summary() const override {
        return "rates of creating, opening, closing and removing files, and of opening one file by all ranks";
    }
    [[nodiscard]] std::unique_ptr<Job> make_job() const override { return std::make_unique<MetadataJob>(); }
};

Registration<Benchmark, MetadataBenchmark> const registration;

}  // namespace
}  // namespace weir
