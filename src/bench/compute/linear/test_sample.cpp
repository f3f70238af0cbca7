#include "bench/compute/linear/test_sample.hpp"

#include <utility>

#include "core/json.hpp"

namespace weir {

void write_sample(JobContext& context, Turn const& turn, TestSample sample) {
    if (!turn.repetition || !context.comm.is_root()) {
        return;
    }
    if (!sample.rules.empty()) {
        sample.details["rules"] = sample.rules;
    }
    if (sample.energy.work > 0) {
        sample.details["work"] = {{std::string(sample.energy.unit), sample.energy.work}};
    }
    sample.cache_share.mark(sample.details);
    for (auto& warning : sample.cache_share.warnings()) {
        sample.warnings.push_back(std::move(warning));
    }
    auto const energy = metrics_of(sample.energy);
    sample.metrics.insert(sample.metrics.end(), energy.begin(), energy.end());
    Json const common{{"phase", sample.phase},
                      {"started_at", sample.started},
                      {"ranks", context.comm.size()},
                      {"elapsed_s", sample.elapsed_s}};
    context.lines.write(sample_line(context, {*turn.repetition, common, std::move(sample.metrics),
                                              std::move(sample.details), std::move(sample.warnings)}));
}

}  // namespace weir
