#include "storage/backends/twophase/request_group.hpp"

#include <set>

#include "array/planner/choose_strategy.hpp"
#include "array/planner/survey.hpp"
#include "storage/backends/twophase/as_errors.hpp"

namespace weir {

RequestGroup::RequestGroup(Communicator const& file, std::string const& path, array::PlanOptions const& options) {
    // With separate messages, and errors returned.
    auto const all = Communicator::duplicate(file.handle());
    auto const neighbours = all.node();
    auto const mine = ~neighbours.max(~all.rank());  // the lowest rank of this node
    facts = as_errors([&] { return survey_machine(all, neighbours, options, path); });
    facts.two_shares = true;  // each direction has its own slots
    auto const group = sizes_of(facts, options).group;
    ranks = options.method == array::Method::grouped ? all.split(all.rank() / group) : all;
    node = ranks.all_gather(mine);
    facts.ranks = ranks.size();
    facts.nodes = std::set(node.begin(), node.end()).size();
}

}  // namespace weir
