#pragma once

#include <vector>

#include "array/choice.hpp"
#include "array/team.hpp"
#include "comm/communicator.hpp"

namespace weir::array {

/// A way that is tried, and the seconds that it took to write and to read, one for each repetition.
struct Trial {
    Way way;
    std::uint64_t window = 1;
    std::vector<double> write{}, read{};
};

/// What is worth trying: the cheapest ways, and the cheapest one with other windows. Those first that come first by
/// their costs. Pure.
std::vector<Trial> worth_trying(PlanFacts const&, PlanOptions const&);

/// The fastest ones by their medians, with the numbers that decided as the reason; `where` says what was measured. At
/// least one has been measured. Pure.
Choice fastest(PlanFacts const&, PlanOptions const&, std::vector<Trial> const&, std::string const& where);

/// Tries on a sample of the arrays in the option's directory, for some two seconds, and returns the fastest; or what
/// was reckoned, with the reason why nothing could be measured. Holds the windows of all that it tries at once.
/// Collective; the same on all ranks.
Choice measured(Communicator const&, Communicator const& node, Arrays const&, PlanFacts const&, PlanOptions const&,
                std::string const& options_text);

}  // namespace weir::array
