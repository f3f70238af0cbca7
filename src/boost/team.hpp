#pragma once

#include <mpi.h>

#include <memory>

#include "boost/direct.hpp"
#include "boost/one_shot.hpp"
#include "boost/ranks.hpp"

namespace weir::boost {

/// Ranks that exchange, and what they hold for that.
struct Team {
    explicit Team(MPI_Comm comm) : ranks(comm), exchange(ranks) {}

    Ranks ranks;
    OneShot exchange;
    Direct direct;

    /// Of this rank to the file system, so far.
    [[nodiscard]] std::uint64_t requests() const { return exchange.requests() + direct.requests(); }

    /// That of the program's communicator. Files of all ranks share one from the first of them to the program's end,
    /// since memory that ranks share takes milliseconds to make; but for programs whose threads may use two files at
    /// once. Collective.
    static std::shared_ptr<Team> of(MPI_Comm comm);

    /// Before MPI_Finalize. Collective over all ranks.
    static void release();
};

}  // namespace weir::boost
