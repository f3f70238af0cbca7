#pragma once

#include <optional>

#include "comm/communicator.hpp"
#include "core/error.hpp"

namespace weir {

/// The collective-error layer: a rank that fails alone goes on to the next agreement, where all ranks learn of it and
/// throw the same, so that none waits for one that has given up. Here are the election of the failure that counts, and
/// agreement on failures of Weir's own programs; those of its C libraries are in comm/collective_error_c.hpp.

/// A rank's vote: 0 without a failure; otherwise the greater the graver it is (1 or more), and of equals the greater
/// the lower the rank. So the greatest of all ranks' votes elects, in one reduction. Local, as the next.
std::uint64_t vote_for(Communicator const&, int gravity);

/// The rank whose failure counts; nothing where the greatest vote says that none has failed.
std::optional<std::uint64_t> elected(Communicator const&, std::uint64_t greatest_vote);

/// Makes one rank's failure everybody's: if any rank brings a diagnosis, or has had trouble with the communicator,
/// every rank throws the gravest (the lowest rank's of equals) as the same Error. Collective.
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
