// The end of a phase: all ranks' results, gathered and checked.

#include <fmt/format.h>

#include <algorithm>

#include "comm/collective_error.hpp"
#include "core/error.hpp"
#include "core/proc.hpp"
#include "storage/engine/engine_state.hpp"
#include "storage/hints.hpp"

namespace weir {
namespace {

/// Start of the first rank and end of the last one, on a common clock.
struct PhaseSpan {
    double begin_s = 0;
    double end_s = 0;

    void add(PhaseSpan const& other) {
        begin_s = std::min(begin_s, other.begin_s);
        end_s = std::max(end_s, other.end_s);
    }
};

}  // namespace

/// Reorders one value per rank to one value per part, whichever rank did it.
std::vector<std::uint64_t> Engine::by_part(Phase const& phase, std::vector<std::uint64_t> const& by_rank) const {
    std::vector<std::uint64_t> parts(by_rank.size());
    for (std::uint64_t rank = 0; rank < by_rank.size(); ++rank) {
        parts.at(acting_rank(phase.reorder, Rank{rank}, comm_.size()).value) = by_rank[rank];
    }
    return parts;
}

void Engine::conclude(State& state) {
    auto const& phase = state.phase;
    auto& ran = state.ran;
    for (auto const file : state.accessed) {
        keep_failure(state.failure, [&] {
            if (handles_[file].file) {
                ran.hints = handles_[file].file->hints();
            }
        });
    }
    try {
        agree(comm_, state.failure);
    } catch (...) {
        ran_.erase(phase.name);
        for (auto& handle : handles_) {
            handle = {};
        }
        remove_what_takes_no_place(phase);
        throw;
    }
    auto const course = comm_.add_up(PhaseSpan{state.began_s + clock_offset_s_, state.ended_s + clock_offset_s_});
    ran.elapsed_s += course.end_s - course.begin_s;
    if (phase.time_limit.value > 0) {
        auto& made = made_[phase.name];
        made.clear();
        for (auto const requests : state.made) {
            made.push_back(by_part(phase, comm_.all_gather(requests)));
        }
    }
}

Tally Engine::calls_of(std::string const& phase) const {
    auto const found = ran_.find(phase);
    return found == ran_.end() ? Tally() : found->second.calls;
}

DumpCosts Engine::costs_of(std::string const& phase) const {
    auto const found = ran_.find(phase);
    return found == ran_.end() ? DumpCosts() : found->second.costs;
}

double Engine::elapsed_of(std::string const& phase) const {
    auto const found = ran_.find(phase);
    return found == ran_.end() ? 0 : found->second.elapsed_s;
}

void Engine::forget(std::string const& phase) { ran_.erase(phase); }

PhaseResult Engine::report(std::string const& phase) {
    auto const found = ran_.find(phase);
    expect(found != ran_.end() && found->second.runs > 0, "a phase is reported after it has run");
    auto const reported = ran_.extract(found);
    auto const& ran = reported.mapped();
    PhaseResult result;
    result.name = phase;
    result.started_at = ran.started_at;
    result.runs = ran.runs;
    result.elapsed_s = ran.elapsed_s;
    result.writes = ran.writes;
    result.reads = ran.reads;
    result.stamped = settings_.stamps;
    auto times = ran.times;
    times.add(ran.meter);
    result.ranks = comm_.all_gather(times);
    for (auto const direction : {Direction::write, Direction::read}) {
        result.latency[static_cast<std::size_t>(direction)] = comm_.add_up(ran.meter.latency(direction));
    }
    result.timeline = comm_.add_up(ran.meter.timeline());
    for (auto const& words : comm_.all_gather(ran.words)) {
        result.words.add(words);
    }
    result.time_limit = ran.time_limit;
    refuse_nothing(result);
    result.calls = sum_over_ranks(ran.calls, comm_);
    result.hints = hints_in_force(settings_.hints, ran.hints);
    gather_counts(ran, result);
    gather_records(ran, result);
    if (result.reads) {
        judge_caches(ran, result);
    }
    return result;
}

/// Refuses a result without any data.
void Engine::refuse_nothing(PhaseResult const& result) {
    auto const none =
        std::all_of(result.ranks.begin(), result.ranks.end(), [](RankTimes const& rank) { return rank.requests == 0; });
    auto const late = std::any_of(result.ranks.begin(), result.ranks.end(),
                                  [](RankTimes const& rank) { return rank.limit_reached != 0; });
    if (!none || !late) {
        return;
    }
    auto const longest = std::max_element(result.ranks.begin(), result.ranks.end(),
                                          [](auto const& a, auto const& b) { return a.open_s < b.open_s; });
    throw Error(
        {fmt::format("the phase '{}' measured nothing: its time limit of {:.3g} s was over before its first request",
                     result.name, result.time_limit.value),
         fmt::format("opening its files took {:.3g} s", longest->open_s),
         "Raise time_limit, or choose fewer files or datasets.", ExitCode::cannot_run});
}

HintsInForce Engine::hints_of(std::string const& phase) const {
    auto const found = ran_.find(phase);
    return hints_in_force(settings_.hints, found == ran_.end() ? Hints() : found->second.hints);
}

void Engine::gather_counts(Ran const& ran, PhaseResult& result) const {
    if (!any(comm_, !ran.counted)) {
        result.counts = comm_.all_gather(ran.counts);
    }
}

void Engine::gather_records(Ran const& ran, PhaseResult& result) const {
    if (settings_.meter.most_records > 0) {
        result.records = ran.meter.records();
    }
}

void Engine::judge_caches(Ran const& ran, PhaseResult& result) const {
    auto& evidence = result.evidence;
    auto const resident = comm_.sum(ran.resident.resident_bytes);
    auto const bytes = comm_.sum(ran.resident.bytes);
    if (bytes > 0) {
        evidence.resident_share = static_cast<double>(resident) / static_cast<double>(bytes);
    }
    for (auto const& rank : result.ranks) {
        evidence.bytes += rank.bytes_read;
    }
    auto const unknown_somewhere = any(comm_, !ran.fetched);
    auto const sum = comm_.sum(ran.fetched.value_or(Bytes{}).value);
    if (!unknown_somewhere) {
        evidence.device_bytes = sum;
    }
    auto directories = settings_.more_directories;
    directories.push_back(settings_.directory);
    evidence.in_memory = std::any_of(directories.begin(), directories.end(), lives_in_memory);
    evidence.on_block_device = std::all_of(directories.begin(), directories.end(), is_on_block_device);
    evidence.avoids_caches = backend_.avoids_caches().has_value();
    result.cache_methods = ran.cache_methods;
    result.cache = judge_read(evidence);
}

void Engine::Ran::note_kernel(std::optional<ProcessCounts> const& counts_now,
                              std::optional<ProcessCounts> const& before, std::optional<Bytes> fetched_now,
                              std::optional<Bytes> fetched_before) {
    counted = counted && counts_now && before;
    if (counted) {
        counts.add(counts_now->since(*before));
    }
    fetched = fetched && fetched_now && fetched_before
                  ? std::optional(Bytes{fetched->value + fetched_now->value - fetched_before->value})
                  : std::nullopt;
}

}  // namespace weir
