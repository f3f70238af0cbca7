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

/// A control variable of the MPI library, by the tool interface of MPI 3.0: integers and flags as their number, texts
/// as they are. Nothing where the library has no such variable.
std::optional<std::string> mpi_control_variable(std::string const& name);

/// Do waiting ranks keep their core busy? Nothing where the library does not tell.
std::optional<bool> mpi_spins();

/// One node of a launch.
struct NodeFacts {
    std::string host;
    std::uint64_t ranks = 0;
    Coverage covers;  ///< by the CPUs that its ranks may use, all together
};

/// Where one rank runs.
struct Placement {
    std::uint64_t rank = 0;
    std::string host;
    std::string cpus;  ///< as the kernel lists them, "0-3,8"
    Coverage covers;   ///< by these CPUs
};

/// What a launch really is, as its ranks found it.
struct LaunchFacts {
    std::uint64_t ranks = 1;
    std::vector<NodeFacts> nodes;
    std::vector<Placement> placement;
    std::optional<std::uint64_t> launcher_ranks;  ///< how many the launcher says it started
    std::optional<bool> mpi_spins;                ///< do ranks that wait keep their core busy?
    std::string mpi_library;
    std::string mpi_standard;
    std::optional<std::string> mpi_io;  ///< the MPI-IO component asked for, where the library tells
    std::optional<double> busy_cores;   ///< at work for others while all our ranks slept, on the busiest node
    std::map<std::string, std::string> environment;  ///< variables that change how MPI behaves
};

/// Asks the ranks, the kernel and MPI. Collective; takes about 0.1 s.
LaunchFacts gather_launch_facts(Communicator const&, Clock&);

/// Ranks that the launcher's environment speaks of, if it does.
std::optional<std::uint64_t> ranks_of_launcher();

Json to_json(LaunchFacts const&);

/// "Open MPI v4.1.4, ..." in one line. Needs no running MPI.
std::string mpi_library_version();

}  // namespace weir
