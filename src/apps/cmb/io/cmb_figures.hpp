#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "apps/cmb/io/cmb_pattern.hpp"
#include "bench/metric.hpp"
#include "comm/communicator.hpp"
#include "core/json_fwd.hpp"
#include "storage/engine/phase_result.hpp"

namespace weir::cmb {

/// A rank's times in a phase, in seconds.
struct RankFigures {
    double computing_s = 0;
    double read_s = 0;    ///< in its read calls; unknown, and 0, of asynchronous requests, as the next
    double write_s = 0;   ///< in its write calls
    double moving_s = 0;  ///< in all of them, and waiting for asynchronous ones
};

/// The measurements of a phase, or of all, over all ranks.
struct Figures {
    double elapsed_s = 0;
    std::uint64_t bytes_read = 0, bytes_written = 0;
    /// The time in which a gang reads, from the first rank's request of a matrix to the last one's end, summed over
    /// matrices; of the slowest gang. Nothing of asynchronous requests: their ends are not seen.
    std::optional<double> read_s{}, write_s{};
    std::optional<double> io_s{};  ///< both; nothing of asynchronous requests
    double moving_s = 0;           ///< the same; of asynchronous requests the slowest rank's time in calls and waiting
    std::vector<RankFigures> ranks{};

    /// Adds another phase's.
    void add(Figures const&);
};

/// Collective. `gang`: the ranks with which this one moves its matrices.
Figures figures_of(PhaseResult const&, Course const&, double computing_s, Communicator const& all,
                   Communicator const& gang);

/// The result first: the bandwidth, or of asynchronous requests, which have none, the time. Local, as the next two.
std::vector<Metric> metrics_of(Figures const&, Mode);

/// Puts the metric of this key before all others.
void result_first(std::vector<Metric>&, std::string_view key);

/// Mean, minimum and maximum over the ranks of each of their times.
Json times_of(Figures const&, Course const&);

}  // namespace weir::cmb
