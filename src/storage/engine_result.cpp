// What the engine makes of a phase once all ranks are through: their results, gathered and judged.

#include <fmt/format.h>

#include <algorithm>

#include "comm/agreement.hpp"
#include "core/error.hpp"
#include "core/proc.hpp"
#include "storage/engine_state.hpp"
#include "storage/hint_states.hpp"

namespace weir {

/// Of one number a rank, that of each rank's part, whoever did it.
std::vector<std::uint64_t> Engine::by_part(Phase const& phase, std::vector<std::uint64_t> const& by_rank) const {
    std::vector<std::uint64_t> parts(by_rank.size());
    for (std::uint64_t rank = 0; rank < by_rank.size(); ++rank) {
        parts.at(acting_rank(phase.reorder, Rank{rank}, pattern_.ranks).value) = by_rank[rank];
    }
    return parts;
}

void Engine::conclude(Phase const& phase, State& state, PhaseResult& result) {
    auto const fetched = bytes_read_from_devices();
    agree(comm_, state.failure);
    result.ranks = comm_.all_gather(state.times);
    for (auto const direction : {Direction::write, Direction::read}) {
        result.latency[static_cast<std::size_t>(direction)] = comm_.add_up(state.meter->latency(direction));
    }
    result.timeline = comm_.add_up(state.meter->timeline());
    for (auto const& words : comm_.all_gather(state.words)) {
        result.words.add(words);
    }
    result.time_limit = phase.time_limit;
    refuse_nothing(result);
    gather_hints(state, result);
    gather_counts(state, result);
    gather_records(state, result);
    if (phase.time_limit.value > 0) {
        auto& made = made_[phase.name];
        made.clear();
        for (auto const requests : state.made) {
            made.push_back(by_part(phase, comm_.all_gather(requests)));
        }
    }
    if (result.reads) {
        auto const known = fetched && state.fetched_before;
        judge_caches(known ? std::optional(fetched->value - state.fetched_before->value) : std::nullopt, result);
    }
}

/// Refuses a result that would be made of nothing.
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

void Engine::gather_hints(State& state, PhaseResult& result) const {
    result.hints = state.hints;
    auto const repeats_anything = take_canary(result.hints);
    result.hints_asked = describe_hints_asked(settings_.hints, result.hints, repeats_anything);
}

void Engine::gather_counts(State const& state, PhaseResult& result) const {
    auto const known = state.counted && state.counted_before;
    if (comm_.max(std::uint64_t{known ? 0U : 1U}) == 0) {
        result.counts = comm_.all_gather(state.counted->since(*state.counted_before));
    }
}

void Engine::gather_records(State const& state, PhaseResult& result) const {
    if (settings_.meter.most_records > 0) {
        result.records = state.meter->records();
    }
}

void Engine::judge_caches(std::optional<std::uint64_t> fetched, PhaseResult& result) const {
    auto& evidence = result.evidence;
    for (auto const& rank : result.ranks) {
        evidence.bytes += rank.bytes_read;
    }
    auto const unknown_somewhere = comm_.max(std::uint64_t{fetched ? 0U : 1U}) != 0;
    auto const sum = comm_.sum(fetched.value_or(0));
    if (!unknown_somewhere) {
        evidence.device_bytes = sum;
    }
    auto directories = settings_.more_directories;
    directories.push_back(settings_.directory);
    evidence.in_memory = std::any_of(directories.begin(), directories.end(), lives_in_memory);
    evidence.on_block_device = std::all_of(directories.begin(), directories.end(), is_on_block_device);
    evidence.avoids_caches = !backend_.avoids_caches().empty();
    result.cache = judge_read(evidence);
}

}  // namespace weir
