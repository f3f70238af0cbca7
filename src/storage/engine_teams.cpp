// The ranks that make a step together, where not all of them do.

#include "storage/engine.hpp"

namespace weir {
namespace {

/// What teams are known by: ranks take part by whose part they do.
std::vector<std::uint64_t> key_of(Ranks const& ranks, Reorder const& reorder) {
    std::vector<std::uint64_t> key{static_cast<std::uint64_t>(reorder.kind), reorder.shift, reorder.seed};
    for (auto const& set : ranks) {
        key.insert(key.end(), {set.first, set.count, set.step});
    }
    return key;
}

}  // namespace

Communicator const& Engine::team_of(Ranks const& ranks, Phase const& phase) const {
    auto const same = canonical(ranks, comm_.size());
    if (same.empty()) {
        return comm_;
    }
    return size_of(same, comm_.size()) == 1 ? alone_ : teams_.at(key_of(same, phase.reorder));
}

void Engine::make_teams(Phase const& phase) {
    auto const make = [&](Ranks const& ranks) {
        auto const same = canonical(ranks, comm_.size());
        auto const key = key_of(same, phase.reorder);
        if (same.empty() || size_of(same, comm_.size()) == 1 || teams_.contains(key)) {
            return;
        }
        // Who takes no part has a team of the others, which it never uses.
        auto const acting = acting_rank(phase.reorder, Rank{comm_.rank()}, comm_.size());
        teams_.emplace(key, comm_.split(contains(same, acting) ? 0 : 1));
    };
    each_step(phase.steps, [&](Step const& step, Loops const&) {
        if (auto const* open = std::get_if<Open>(&step)) {
            make(open->ranks);
        } else if (auto const* barrier = std::get_if<Barrier>(&step)) {
            make(barrier->ranks);
        } else if (auto const* broadcast = std::get_if<Broadcast>(&step)) {
            make(broadcast->ranks);
        }
    });
}

}  // namespace weir
