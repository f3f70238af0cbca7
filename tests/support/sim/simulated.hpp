#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sim/simulate.hpp"
#include "support/patterns/phases.hpp"

namespace weir::testing {

inline constexpr std::uint64_t mib = 1 << 20;

/// A machine of which nothing takes time but what a test says.
inline sim::Machine machine_of(std::uint64_t nodes) {
    sim::Machine machine;
    machine.name = "test";
    machine.nodes.count = nodes;
    machine.storage.targets.count = 4;
    machine.storage.stripes = 4;
    return machine;
}

/// A phase of these steps on a file of all ranks, 0, and one of each, 1.
inline Pattern pattern_of(std::uint64_t ranks, std::vector<Step> steps) {
    Pattern pattern{"test", ranks, {{.name = "data"}, {.name = "own", .per_rank = true}}, {}};
    pattern.phases = {phase_of("phase", std::move(steps))};
    return pattern;
}

/// Each rank has that many bytes behind those of the one before.
inline Access blocks(std::uint64_t ranks, std::uint64_t bytes, std::uint64_t pieces = 1) {
    auto const each = static_cast<std::int64_t>(bytes);
    return access_of({0, ranks, 1}, {{ranks, each * static_cast<std::int64_t>(pieces)}}, {0, {{pieces, each}}, bytes});
}

/// All ranks have the same bytes.
inline Access same(std::uint64_t ranks, std::uint64_t bytes, std::uint64_t pieces = 1) {
    auto access = blocks(ranks, bytes, pieces);
    access.rank_levels = {};
    return access;
}

inline Step written(Access access) {
    access.verb = Verb::write;
    return access;
}

inline Step read(Access access) {
    access.verb = Verb::read;
    return access;
}

inline sim::Tally const& of(sim::Outcome const& outcome, sim::Doing doing) {
    return outcome.phases.front().operations.at(static_cast<std::size_t>(doing));
}

}  // namespace weir::testing
