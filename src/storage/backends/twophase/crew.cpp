#include "storage/backends/twophase/crew.hpp"

#include <set>

#include "array/choice.hpp"
#include "array/machine_survey.hpp"
#include "core/error.hpp"

namespace weir {

namespace {

/// Runs what the library does for all ranks together, with the engine's errors.
template <class Work>
auto as_errors(Work work) {
    try {
        return work();
    } catch (array::Failure const& failure) {
        auto const usage = failure.code() == WEIR_BAD_ARGUMENT || failure.code() == WEIR_DISAGREE;
        throw Error({failure.what(), "", "", usage ? ExitCode::usage : ExitCode::cannot_run});
    }
}

}  // namespace

void agree_as_errors(Communicator const& comm, array::FirstFailure const& failure) {
    as_errors([&] { failure.agree(comm); });
}

Crew::Crew(Communicator const& file, std::string const& path, array::PlanOptions const& options) {
    // With messages of its own, and errors that come back.
    auto const all = Communicator::duplicate(file.handle());
    auto const neighbours = all.node();
    auto const mine = ~neighbours.max(~all.rank());  // the lowest rank of the node
    speaks_for_node = mine == all.rank();
    facts = as_errors([&] { return survey_machine(all, neighbours, options, path); });
    facts.two_shares = true;  // each direction has slots of its own
    auto const group = sizes_of(facts, options).group;
    ranks = options.method == array::Method::grouped ? all.split(all.rank() / group) : all;
    node = ranks.all_gather(mine);
    facts.ranks = ranks.size();
    facts.nodes = std::set(node.begin(), node.end()).size();
}

}  // namespace weir
