// Work model: the requests of a pattern of dumps. Bandwidth = bytes / the slowest rank's time in dumps, or in the
// restart.

#include "apps/common/run/run_samples.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/json.hpp"

namespace weir {
namespace {

/// Without seeks: they are counted, but no call is made.
Json calls_of(Tally made) {
    made[IoCall::seek] = {};
    return calls_json(made);
}

Json labels(RunFigures const& run, Program const& program) {
    auto json = program.labels();
    if (run.library) {
        json["method"] = to_text(*run.library);
    } else if (!run.backend.empty()) {
        json["collective"] = run.collective;
    }
    return json;
}

Sample transfer_sample(RunFigures const& run, Program const& program, std::uint64_t repetition, IoCall call) {
    auto const reads = call == IoCall::read;
    auto const& made = reads ? run.read : run.written;
    auto const elapsed_s = reads ? run.read_s : run.write_s;
    auto const calls = calls_of(made);
    auto const& asked = reads ? run.to_read : run.to_write;
    auto const operations = calls.is_null() ? asked.operations : made[call].count;
    auto const bytes = asked.bytes;
    Json common{{"phase", reads ? "read" : "write"},
                {"started_at", reads ? run.started_at : run.dumping_at},
                {"ranks", run.ranks},
                {"backend", run.backend},
                {"bytes", bytes},
                {"bytes_written", reads ? 0 : bytes},
                {"bytes_read", reads ? bytes : 0},
                {"operations", operations},
                {"elapsed_s", elapsed_s},
                {"calls", calls}};
    auto const rate = operation_rate(static_cast<double>(operations), elapsed_s);
    return {
        repetition, std::move(common), {bandwidth(static_cast<double>(bytes), elapsed_s), rate}, labels(run, program)};
}

}  // namespace

Sample read_sample(RunFigures const& run, Program const& program, std::uint64_t repetition) {
    return transfer_sample(run, program, repetition, IoCall::read);
}

Sample write_sample(RunFigures const& run, Program const& program, std::uint64_t repetition) {
    auto sample = transfer_sample(run, program, repetition, IoCall::write);
    sample.details["dumps"] = run.dumps;
    return sample;
}

Sample run_sample(RunFigures const& run, Program const& program, std::uint64_t repetition) {
    Json common{{"phase", "run"}, {"started_at", run.started_at}, {"ranks", run.ranks}, {"elapsed_s", run.elapsed_s}};
    if (!run.backend.empty()) {
        common["backend"] = run.backend;
    }
    std::vector<Metric> metrics{elapsed_time(run.elapsed_s)};
    std::ranges::move(program.metrics(run), std::back_inserter(metrics));
    auto details = labels(run, program);
    details.update({{"steps", run.steps}, {"dumps", run.dumps}, {"io", account_of_files(run)}});
    program.complete(details, run);
    return {repetition, std::move(common), std::move(metrics), std::move(details), program.warnings()};
}

}  // namespace weir
