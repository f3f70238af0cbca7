#include "bench/sample_line.hpp"

#include "core/json.hpp"

namespace weir {

Json sample_line(JobContext const& context, Sample const& sample) {
    Json line{{"schema", 2},
              {"kind", "sample"},
              {"case", context.case_id},
              {"benchmark", context.benchmark},
              {"repetition", sample.repetition}};
    line.update(sample.common);
    line["metrics"] = to_json(sample.metrics);
    line["details"] = sample.details;
    line["warnings"] = sample.warnings;
    return line;
}

}  // namespace weir
