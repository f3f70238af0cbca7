#pragma once

#include <optional>

#include "comm/communicator.hpp"
#include "core/error.hpp"

namespace weir {

/// Makes one rank's failure everybody's: if any rank brings a diagnosis, every rank throws the gravest (the lowest
/// rank's of equals) as the same Error. Collective; so that no rank goes on to wait for one that has given up.
void agree(Communicator const&, std::optional<Diagnosis> const& brought);

/// Throws what keep_failure() has kept, if anything. Local.
inline void throw_kept(std::optional<Diagnosis> const& failure) {
    if (failure) {
        throw Error(*failure);
    }
}

/// Is it so on any rank? Collective.
inline bool any(Communicator const& comm, bool here) { return comm.max(std::uint64_t{here ? 1U : 0U}) != 0; }

/// Runs `step` on every rank and agrees on its failures; what is thrown is Error. `step` is not to be collective where
/// it can fail on some ranks only.
template <class Step>
void run_together(Communicator const& comm, Step step) {
    std::optional<Diagnosis> failure;
    keep_failure(failure, step);
    agree(comm, failure);
}

}  // namespace weir
