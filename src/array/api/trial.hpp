#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "array/layout/io_group.hpp"
#include "array/planner/choose_strategy.hpp"
#include "comm/communicator.hpp"

namespace weir::array {

/// A strategy that is tried, and the seconds that each repetition took to write and to read.
struct Trial {
    Strategy strategy;
    std::uint64_t window = 1;
    std::vector<double> write{}, read{};
};

/// The trials worth making: the cheapest strategies, and the cheapest one with other windows, in order of estimated
/// cost. Pure.
std::vector<Trial> worth_trying(PlanFacts const&, PlanOptions const&);

/// The fastest ones by their medians, with the deciding numbers as the reason; `where` says what was measured. At least
/// one trial must have been measured. Pure.
Choice fastest(PlanFacts const&, PlanOptions const&, std::vector<Trial> const&, std::string const& where);

/// Tries strategies on a sample of the arrays in the option's directory, for about two seconds, and returns the
/// fastest; if nothing could be measured, the choice by the cost model, with the reason. Holds the windows of all
/// trials at once. Collective; the same on all ranks.
Choice measured(Communicator const&, Communicator const& node, Arrays const&, PlanFacts const&, PlanOptions const&);

/// The most bytes of the arrays that trials write.
constexpr std::uint64_t most_sampled(std::uint64_t nodes) { return nodes * (std::uint64_t{128} << 20U); }

/// Writes and reads a file in the options' directory with each of these strategies in turn, for about two seconds in
/// total, and records the times; at least the first two are tried once. Reads avoid this node's page cache, as far as
/// the kernel drops it. Collective; throws Failure, the same on all ranks. The file is always removed.
void run_trials(Communicator const&, Communicator const& node, std::vector<Description> const& sample, PlanFacts const&,
                PlanOptions const&, std::vector<Trial>&);

/// Arrays with the same runs as these on the same ranks, but shorter along their slowest dimensions, so that all arrays
/// have at most `most` bytes. Nothing if that is impossible, as for boxes and lists that are larger. Pure.
std::optional<std::vector<Description>> sample_of(std::vector<Description> const&, std::uint64_t ranks,
                                                  std::uint64_t most);

}  // namespace weir::array
