#pragma once

#include <list>

#include "array/api/plan.hpp"
#include "storage/backend.hpp"

namespace weir {

/// Ranks that open files together, and their plans for arrays: made once, used for every array of that shape in every
/// file. Construction is collective, as are destruction and every member that says so.
class ArrayPlans {
  public:
    ArrayPlans(Communicator const& ranks, array::PlanOptions const& options);

    /// Are these the same ranks, in the same order? Local.
    [[nodiscard]] bool serves(Communicator const& ranks) const;

    /// The plan for an array that these ranks hold parts of; throws the same Error on all ranks. Collective.
    array::Plan& plan_for(PartRequest const&);

    /// Is this the first rank of its node with `it_is` true? Collective.
    [[nodiscard]] bool first_of_node(bool it_is) const;

    [[nodiscard]] Communicator const& ranks() const { return ranks_; }

  private:
    struct Planned {
        Array what;
        Partition by;
        array::Plan plan;

        Planned(Array array, Partition partition, MPI_Comm comm, array::Description description,
                array::PlanOptions const& options)
            : what(std::move(array)), by(std::move(partition)), plan(comm, {std::move(description)}, options, "", {}) {}
        [[nodiscard]] bool fits(PartRequest const&) const;
    };

    Communicator ranks_;
    Communicator node_;
    array::PlanOptions options_;
    std::list<Planned> plans_;  ///< most recently used first
};

}  // namespace weir
