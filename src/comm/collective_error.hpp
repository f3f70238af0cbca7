#pragma once

#include <optional>

#include "comm/communicator.hpp"
#include "core/error.hpp"

namespace weir {

/// The collective-error layer: a rank that fails alone continues to the next agreement, where all ranks learn of the
/// failure and throw the same one, so that none waits for a rank that has given up. This file has the election of the
/// failure that counts, and agreement on failures of Weir's own programs; comm/collective_error_c.hpp has those of its
/// C libraries.

/// A rank's vote: 0 without a failure; otherwise 1 or more, greater for a graver failure, and of equally grave ones for
/// a lower rank. So one max reduction elects the rank whose failure counts. Local, as the next.
std::uint64_t vote_for(Communicator const&, int gravity);

/// The rank whose failure counts; nothing if the greatest vote is 0.
std::optional<std::uint64_t> elected(Communicator const&, std::uint64_t greatest_vote);

/// Makes one rank's failure everybody's: if any rank brings a diagnosis, or has a pending MPI error of the
/// communicator, every rank throws the gravest (of equals, the lowest rank's) as the same Error. Collective.
void agree(Communicator const&, std::optional<Diagnosis> const& brought);

/// Throws the failure that keep_failure() kept, if any. Local.
inline void throw_kept(std::optional<Diagnosis> const& failure) {
    if (failure) {
        throw Error(*failure);
    }
}

/// Is `here` true on any rank? Collective.
inline bool any(Communicator const& comm, bool here) { return comm.max(std::uint64_t{here ? 1U : 0U}) != 0; }

/// Runs `step` on every rank and agrees on its failures; throws Error. `step` must not be collective if it can fail on
/// some ranks only.
template <class Step>
void run_together(Communicator const& comm, Step step) {
    std::optional<Diagnosis> failure;
    keep_failure(failure, step);
    agree(comm, failure);
}

}  // namespace weir
