#pragma once

#include "comm/communicator.hpp"

namespace weir::testing {

/// On rank 0 alone, while the others wait. Collective.
template <class Work>
void on_root(Communicator const& comm, Work work) {
    if (comm.is_root()) {
        work();
    }
    comm.barrier();
}

}  // namespace weir::testing
