#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/metric.hpp"
#include "comm/communicator.hpp"

namespace weir {

/// The energy of this machine's processor packages since the last look, by the kernel's counters of RAPL
/// (/sys/class/powercap/intel-rapl:N, domains named "package-N"; also AMD's). Nothing where there are none, or they may
/// not be read. `root` is the folder that contains /sys. Local.
class PackageEnergy {
  public:
    explicit PackageEnergy(std::string const& root = "");

    /// Joules since the last call or the construction; nothing if unknown. A counter that wrapped once is put right.
    std::optional<double> since_last_j();

  private:
    struct EnergyCounter {
        std::string path;
        std::uint64_t range_uj = 0;  ///< at which it begins anew
        std::optional<std::uint64_t> last_uj{};
    };

    std::vector<EnergyCounter> counters_;
};

/// The energy of all nodes of a communicator, of their processor packages.
class EnergyMeter {
  public:
    /// Collective, like all others. `root`: as above.
    explicit EnergyMeter(Communicator const&, std::string const& root = "");

    void start();

    /// Joules since start(), which must come before each, over all nodes; nothing if any of them does not tell.
    [[nodiscard]] std::optional<double> used_j();

  private:
    Communicator comm_;
    std::optional<PackageEnergy> energy_;  ///< on one rank of each node
    bool has_started_ = false;
};

/// The energy of some work.
struct WorkEnergy {
    std::optional<double> joules{};
    double work = 0;
    std::string_view unit{};  ///< of the work: "flop" or "B"
};

/// Energy and work for each joule; nothing where the energy is unknown.
std::vector<Metric> metrics_of(WorkEnergy const&);

}  // namespace weir
