#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "comm/communicator.hpp"
#include "core/json_fwd.hpp"

namespace weir {

/// Whether higher or lower values are better.
enum class Better { higher, lower };
constexpr std::array<std::string_view, 2> enum_names(Better) { return {"higher", "lower"}; }

/// How ranks' values combine: the slowest rank's value, or all work by the slowest rank's time; their sum; their mean.
enum class OverRanks { slowest, sum, mean };
constexpr std::array<std::string_view, 3> enum_names(OverRanks) { return {"slowest", "sum", "mean"}; }

/// Where a metric stands on the first screen of a run's results, and its label there.
struct ScreenPlace {
    std::uint64_t place = 0;  ///< those with smaller ones come before it
    std::string label;        ///< "PTRANS"
};

/// One value of a sample, with everything needed to show, compare and plot it.
struct Metric {
    std::string key;              ///< ends in its unit, like every key: `bandwidth_bytes_per_s`, `updates_per_s`
    std::optional<double> value;  ///< in `unit`; nothing if unknown
    std::string unit;             ///< "B/s", "s", "flop/s", "1/s" or "1" of what the key counts, ...
    std::string noun;             ///< its name in text: "bandwidth"
    Better better = Better::higher;
    OverRanks over_ranks = OverRanks::slowest;
    bool decimal = false;                       ///< of B/s: people read it in GB/s, of 10^9 B, and not in MiB/s
    std::optional<ScreenPlace> first_screen{};  ///< a benchmark with any such has these there, and nothing else
};

/// A quotient, or nothing if no time passed.
std::optional<double> per_second(double amount, double elapsed_s);

/// Metrics common to several benchmarks, each by the time of the slowest rank.
Metric bandwidth(double bytes, double elapsed_s);
Metric operation_rate(double operations, double elapsed_s);
Metric elapsed_time(double elapsed_s);

/// A bandwidth that people read in GB/s, of 10^9 B, as those of the HPC Challenge.
Metric in_gbytes(Metric);

/// The metric over all ranks, from this rank's; unknown if any rank's is unknown. Collective.
Metric over_all_ranks(Metric mine, Communicator const&);

Json to_json(ScreenPlace const&);
Json to_json(std::vector<Metric> const&);

}  // namespace weir
