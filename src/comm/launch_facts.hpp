#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "core/clock.hpp"
#include "core/json_fwd.hpp"
#include "core/topology.hpp"

namespace weir {

/// A control variable of the MPI library, from the tool interface of MPI 3.0: integers and flags as numbers, texts
/// unchanged. Nothing if the library has no such variable.
std::optional<std::string> mpi_control_variable(std::string const& name);

/// Do waiting ranks spin? Nothing if the library does not report it.
std::optional<bool> mpi_spins();

/// One node of a launch.
struct NodeFacts {
    std::string host;
    std::uint64_t ranks = 0;
    Coverage covers;           ///< covered by all its ranks' CPUs together
    double clock_ahead_s = 0;  ///< its time of day, of the first node's; measured to about a message's time
};

/// Where one rank runs.
struct Placement {
    std::uint64_t rank = 0;
    std::string host;
    std::string cpus;  ///< as the kernel lists them, "0-3,8"
    Coverage covers;   ///< covered by these CPUs
};

/// The actual properties of a launch, as its ranks see it.
struct LaunchFacts {
    std::uint64_t ranks = 1;
    std::vector<NodeFacts> nodes;
    std::vector<Placement> placement;
    std::optional<std::uint64_t> launcher_ranks;  ///< the number that the launcher reports
    std::optional<bool> mpi_spins;                ///< do waiting ranks spin?
    std::string mpi_library;
    std::string mpi_standard;
    std::optional<std::string> mpi_io;  ///< the MPI-IO component requested, if the library reports it
    std::optional<double> busy_cores;   ///< busy with other work while all our ranks slept, on the busiest node
    std::map<std::string, std::string> environment;  ///< variables that affect MPI's behaviour
};

/// Collects facts from the ranks, the kernel and MPI. Collective; takes about 0.1 s. `asks_tools`: also the tool
/// interface, for which Open MPI loads the components that a program loads when it first opens a file (2 to 5 ms).
LaunchFacts gather_launch_facts(Communicator const&, Clock&, bool asks_tools = true);

/// The number of ranks in the launcher's environment variables, if any.
std::optional<std::uint64_t> ranks_of_launcher();

Json to_json(LaunchFacts const&);

/// "Open MPI v4.1.4, ..." on one line. Works without MPI initialised.
std::string mpi_library_version();

}  // namespace weir
