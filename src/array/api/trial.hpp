#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "array/layout/io_group.hpp"
#include "array/planner/choose_strategy.hpp"
#include "comm/communicator.hpp"

namespace weir::array {

/// A strategy that is tried, and the seconds that it took to write and to read, one for each repetition.
struct Trial {
    Strategy strategy;
    std::uint64_t window = 1;
    std::vector<double> write{}, read{};
};

/// What is worth trying: the cheapest strategies, and the cheapest one with other windows. Those first that come first
/// by their costs. Pure.
std::vector<Trial> worth_trying(PlanFacts const&, PlanOptions const&);

/// The fastest ones by their medians, with the numbers that decided as the reason; `where` says what was measured. At
/// least one has been measured. Pure.
Choice fastest(PlanFacts const&, PlanOptions const&, std::vector<Trial> const&, std::string const& where);

/// Tries on a sample of the arrays in the option's directory, for some two seconds, and returns the fastest; or what
/// the costs say, with the reason why nothing could be measured. Holds the windows of all that it tries at once.
/// Collective; the same on all ranks.
Choice measured(Communicator const&, Communicator const& node, Arrays const&, PlanFacts const&, PlanOptions const&);

/// Bytes of the arrays that trials write, at most.
constexpr std::uint64_t most_sampled(std::uint64_t nodes) { return nodes * (std::uint64_t{128} << 20U); }

/// Writes and reads a file in the options' directory in each of these strategies in turn, over and over for some two
/// seconds, and keeps the times; at least the first two are tried once. What is read is not in this node's cache, as
/// far as the kernel can be asked. Collective; throws Failure, the same on all ranks. The file is removed in any case.
void run_trials(Communicator const&, Communicator const& node, std::vector<Description> const& sample, PlanFacts const&,
                PlanOptions const&, std::vector<Trial>&);

/// Arrays with the same runs as these on the same ranks, but so few of them that all arrays have at most `most` bytes:
/// shorter along their slowest dimensions. Nothing where that cannot be, as for boxes and lists that are larger. Pure.
std::optional<std::vector<Description>> sample_of(std::vector<Description> const&, std::uint64_t ranks,
                                                  std::uint64_t most);

}  // namespace weir::array
