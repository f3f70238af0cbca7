#include "bench/compute/linear/sharing.hpp"

#include <algorithm>

namespace weir {

bool takes_part(Communicator const& comm, Sharing sharing) { return sharing == Sharing::star || comm.is_root(); }

void wait_for_turn(Communicator const& comm, Sharing sharing) {
    sharing == Sharing::star ? comm.barrier() : comm.quiet_barrier();
}

WorkerRates rates_of_workers(Communicator const& comm, bool works, double rate) {
    WorkerRates found;
    for (auto const one : comm.all_gather(works ? rate : -1.0)) {
        if (one < 0) {
            continue;
        }
        found.least = found.workers == 0 ? one : std::min(found.least, one);
        found.greatest = std::max(found.greatest, one);
        found.mean += one;
        ++found.workers;
    }
    found.mean /= static_cast<double>(std::max<std::uint64_t>(found.workers, 1));
    return found;
}

}  // namespace weir
