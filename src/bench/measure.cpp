#include "bench/measure.hpp"

#include "comm/collective_error.hpp"
#include "core/error.hpp"
#include "core/interrupt.hpp"
#include "core/json.hpp"
#include "core/proc.hpp"
#include "core/rank_progress.hpp"

namespace weir {

void measure(JobContext& context, Turn const& turn, TimedPhase const& phase) {
    auto const started = utc_time();
    note_phase(phase.name);
    double took_s = 0;
    run_together(context.comm, [] { throw_if_interrupted(); });
    context.comm.barrier();
    run_together(context.comm, [&] {
        auto const from_s = context.clock.now_s();
        phase.work();
        took_s = context.clock.now_s() - from_s;
    });
    auto metrics = phase.metrics(took_s);
    for (auto& metric : metrics) {
        metric = over_all_ranks(std::move(metric), context.comm);
    }
    auto const elapsed_s = context.comm.max(took_s);
    note_phase("");
    if (turn.repetition) {
        Json const common{
            {"phase", phase.name}, {"started_at", started}, {"ranks", context.comm.size()}, {"elapsed_s", elapsed_s}};
        context.lines.write(sample_line(context, {*turn.repetition, common, std::move(metrics)}));
    }
}

Json describe_without_files(std::uint64_t memory_bytes_per_rank) {
    return {{"totals",
             {{"bytes_written", 0},
              {"bytes_read", 0},
              {"operations", 0},
              {"files", 0},
              {"bytes_on_disk", 0},
              {"cached_bytes", 0},
              {"memory_bytes_per_rank", memory_bytes_per_rank}}}};
}

void refuse_pattern_in_case_file(bool asked) {
    validate(!asked, "a case file asks for emit_pattern", "its output would be no line of results",
             "Use `weir-core describe`, or give the options on the command line.");
}

}  // namespace weir
