#pragma once

#include <string>
#include <vector>

#include "array/sample.hpp"
#include "array/trial.hpp"

namespace weir::array {

/// Bytes of the arrays that trials write, at most.
constexpr std::uint64_t most_sampled(std::uint64_t nodes) { return nodes * (std::uint64_t{128} << 20U); }

/// Writes and reads a file in the options' directory in each of these ways in turn, over and over for some two seconds,
/// and keeps the times; at least the first two are tried once. What is read is not in this node's cache, as far as the
/// kernel can be asked. Collective; throws Failure, the same on all ranks. The file is removed in any case.
void run_trials(Communicator const&, Communicator const& node, std::vector<Description> const& sample, PlanFacts const&,
                PlanOptions const&, std::string const& options_text, std::vector<Trial>&);

}  // namespace weir::array
