#include "bench/run_cases.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "bench/benchmark.hpp"
#include "bench/machine_state.hpp"
#include "bench/stall_watch.hpp"
#include "bench/warm_up.hpp"
#include "comm/collective_error.hpp"
#include "core/json.hpp"
#include "core/proc.hpp"
#include "core/rank_progress.hpp"
#include "core/sentence.hpp"
#include "core/terminal_text.hpp"
#include "core/version.hpp"

namespace weir {
namespace {

/// A job with its options set.
struct PreparedJob {
    std::unique_ptr<Job> job;
    std::unique_ptr<OptionSet> options;
};

PreparedJob prepare(Case const& one) {
    auto const* benchmark = Benchmarks::instance().find(one.benchmark);
    validate(benchmark != nullptr, fmt::format("unknown benchmark '{}'", one.benchmark), "it is not built in",
             "`weir list` shows them all.");
    PreparedJob prepared{benchmark->make_job(), std::make_unique<OptionSet>()};
    prepared.job->declare(*prepared.options);
    prepared.options->set_all(one.options);
    return prepared;
}

/// Tells the machine's state between cases. A probe leaves all ranks but two asleep, and what is measured in the next
/// milliseconds is slower: short cases share one.
class StateLines {
  public:
    /// Collective, as are all others.
    StateLines(bool wanted, Communicator const& comm, Clock const& clock, LineSink& lines)
        : comm_(comm), clock_(clock), lines_(lines) {
        if (wanted) {
            state_.emplace(comm);
        }
    }

    void tell() {
        if (state_) {
            lines_.write(state_->line());
            told_s_ = clock_.now_s();
        }
    }

    void tell_after_a_while() {
        constexpr double while_s = 0.1;
        if (state_ && comm_.max(clock_.now_s() - told_s_) >= while_s) {
            tell();
        }
    }

  private:
    Communicator const& comm_;
    Clock const& clock_;
    LineSink& lines_;
    std::optional<MachineState> state_;
    double told_s_ = 0;
};

ExitCode worse(ExitCode a, ExitCode b) { return std::max(a, b); }

/// Page cache that each case will fill, without cases that will fail. Local.
std::vector<CacheFill> cache_fills(std::vector<Case> const& cases, std::uint64_t ranks) {
    std::vector<CacheFill> fills;
    for (auto const& one : cases) {
        try {
            fills.push_back(prepare(one).job->cache_fill(ranks));
        } catch (Error const&) {
            continue;  // reported later by a failure line
        }
    }
    return fills;
}

/// Warms the amount in the case file, or the maximum over all cases. Collective.
WarmUp warm_for(CaseFile const& file, Communicator const& comm, Clock const& clock) {
    return file.warm_memory_bytes ? warm_memory(comm, *file.warm_memory_bytes, clock)
                                  : warm_for_cases(comm, cache_fills(file.cases, comm.size()), clock);
}

/// The hosts of all ranks.
std::vector<std::string> write_launch(CaseFile const& file, Communicator const& comm, Clock& clock, LineSink& lines,
                                      StallWatch const& watch) {
    auto const started = utc_time();
    auto const facts = gather_launch_facts(comm, clock, !file.fresh);
    refuse_misplaced_launch(facts, file.expectation);
    auto const warm = warm_for(file, comm, clock);
    auto warnings = judge_launch(facts, file.expectation);
    if (auto cold = judge_warm_up(warm)) {
        warnings.push_back(std::move(*cold));
    }
    Json line{{"schema", 1}, {"kind", "launch"}, {"version", version}, {"started_at", started}};
    line.update(to_json(facts));
    line["first_touch"] = to_json(warm);
    line["stall_limit_s"] = watch.limit() ? Json(watch.limit()->value) : Json();
    line["warnings"] = to_json(warnings);
    lines.write(line);
    for (auto const& w : warnings) {
        if (comm.is_root()) {
            say("warning: " + sentence(w.problem, w.why, w.advice));
        }
    }
    std::vector<std::string> hosts;
    for (auto const& rank : facts.placement) {
        hosts.push_back(rank.host);
    }
    return hosts;
}

/// Is the failure that of one rank, rather than what all ranks were asked for?
bool is_of_one(Diagnosis const& diagnosis) {
    return diagnosis.rank && (diagnosis.exit_code == ExitCode::cannot_run || *diagnosis.rank > 0);
}

/// Its node, if there are several.
std::optional<std::string> host_of(Diagnosis const& diagnosis, std::vector<std::string> const& hosts) {
    auto const several = std::ranges::any_of(hosts, [&](auto const& host) { return host != hosts.front(); });
    return several && is_of_one(diagnosis) ? std::optional(hosts.at(*diagnosis.rank)) : std::nullopt;
}

/// The rank of the failure, if it matters.
std::string place_of(Diagnosis const& diagnosis, std::vector<std::string> const& hosts) {
    auto const host = host_of(diagnosis, hosts);
    return host                                       ? fmt::format("rank {} on {}: ", *diagnosis.rank, *host)
           : is_of_one(diagnosis) && hosts.size() > 1 ? fmt::format("rank {}: ", *diagnosis.rank)
                                                      : "";
}

ExitCode run_case(Case const& one, std::vector<std::string> const& hosts, Communicator const& comm, Clock& clock,
                  LineSink& lines) {
    lines.write({{"schema", 1}, {"kind", "begin"}, {"case", one.id}});
    note_phase("");
    try {
        auto const prepared = prepare(one);
        JobContext context{comm, clock, lines, one.id, one.benchmark};
        prepared.job->run(context);
    } catch (Error const& error) {
        auto line = failure_line(one.id, one.benchmark, error.diagnosis());
        if (auto const host = host_of(error.diagnosis(), hosts)) {
            line["host"] = *host;
        }
        lines.write(line);
        if (comm.is_root() && !lines.has_lost()) {
            say(fmt::format("error: {}{}", place_of(error.diagnosis(), hosts), error.what()));
        }
        return error.diagnosis().exit_code;
    }
    return ExitCode::fine;
}

}  // namespace

Json failure_line(std::string const& case_id, std::string const& benchmark, Diagnosis const& d) {
    auto const text_or_null = [](std::string const& text) { return text.empty() ? Json() : Json(text); };
    Json line{{"schema", 1},
              {"kind", "failure"},
              {"case", text_or_null(case_id)},
              {"benchmark", text_or_null(benchmark)},
              {"exit_code", static_cast<int>(d.exit_code)},
              {"problem", d.problem},
              {"reason", text_or_null(d.reason)},
              {"suggestion", text_or_null(d.suggestion)},
              {"rank", d.rank ? Json(*d.rank) : Json()},
              {"host", nullptr},
              {"wrong_words", nullptr}};
    if (!d.details.empty()) {
        line.update(parse_json(d.details));
    }
    return line;
}

ExitCode run_cases(CaseFile const& file, Communicator const& comm, Clock& clock, LineSink& lines) {
    auto worst = ExitCode::fine;
    StallWatch const watch(comm, file.stall_limit);
    auto const hosts = write_launch(file, comm, clock, lines, watch);
    StateLines states(file.probe_state, comm, clock, lines);
    states.tell();
    for (auto const& one : file.cases) {
        worst = worse(worst, run_case(one, hosts, comm, clock, lines));
        if (worst == ExitCode::interrupted) {
            break;
        }
        &one == &file.cases.back() ? states.tell() : states.tell_after_a_while();
    }
    lines.write({{"schema", 1}, {"kind", "end"}, {"exit_code", static_cast<int>(worst)}});
    return worst;
}

std::optional<Json> document_of(Case const& one, std::optional<std::uint64_t> ranks) {
    return prepare(one).job->document(ranks);
}

ExitCode describe_cases(CaseFile const& file, LineSink& lines) {
    auto worst = ExitCode::fine;
    for (auto const& one : file.cases) {
        try {
            Json line{{"schema", 1}, {"kind", "description"}, {"case", one.id}, {"ranks", one.ranks}};
            line.update(prepare(one).job->describe(one.ranks));
            lines.write(line);
        } catch (Error const& error) {
            lines.write(failure_line(one.id, one.benchmark, error.diagnosis()));
            worst = worse(worst, error.diagnosis().exit_code);
        }
    }
    return worst;
}

}  // namespace weir
