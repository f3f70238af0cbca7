#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pattern/pattern.hpp"
#include "sim/machine.hpp"
#include "sim/tally.hpp"

namespace weir::sim {

/// How a pattern uses a machine; 0: as the machine says.
struct Use {
    std::uint64_t ranks_per_node = 0;
    std::uint64_t stripes = 0;
    std::uint64_t stripe = 0;
    std::uint64_t aggregators = 0;
    bool collective = true;  ///< collective accesses are carried out as MPI-IO does; else each rank makes its requests
    bool drops_caches = false;  ///< of nodes: what a phase reads it finds in none of them
};

/// Resources of one kind.
struct ResourceUse {
    std::string_view name;
    std::uint64_t count = 0;
    double busy_s = 0;     ///< of all together
    double busiest_s = 0;  ///< of the one that was in use longest
};

struct PhaseOutcome {
    std::string name;
    double time_s = 0;  ///< from its beginning on all ranks to its end on the last one
    std::uint64_t bytes_written = 0;
    std::uint64_t bytes_read = 0;
    std::int64_t bytes_found = 0;  ///< of these, in the nodes' memory before they were asked for
    Tallies operations{};
    std::vector<ResourceUse> resources{};  ///< those that the machine limits
    bool timed = true;
};

struct Outcome {
    std::uint64_t nodes = 0;
    std::uint64_t events = 0;
    double time_s = 0;
    std::vector<PhaseOutcome> phases;
    std::vector<ResourceUse> resources;  ///< of all phases
};

/// Carries out a pattern on a modelled machine: every rank's steps in their order, its requests through its node's
/// link, the servers' links and queues at targets, its messages as flows. The same input gives the same outcome. A
/// pattern of collective accesses is lowered first. Refuses a pattern for more ranks than the machine has, and rules
/// that it cannot follow (Error, usage).
Outcome simulate(Machine const&, Pattern const&, Use const& = {});

}  // namespace weir::sim
