#pragma once

#include "comm/collective_error_c.hpp"
#include "core/error.hpp"

namespace weir {

/// Runs a collective call of the library, with the engine's errors: what means nothing is a mistake of
/// usage.
template <class Work>
auto as_errors(Work work) {
    try {
        return work();
    } catch (Failure const& failure) {
        auto const usage = failure.code() == WEIR_BAD_ARGUMENT || failure.code() == WEIR_DISAGREE;
        throw Error({failure.what(), "", "", usage ? ExitCode::usage : ExitCode::cannot_run});
    }
}

/// Makes one rank's failure everybody's, as the Error that the engine knows. Collective.
inline void agree_as_errors(Communicator const& comm, FirstFailure const& failure) {
    as_errors([&] { failure.agree(comm); });
}

}  // namespace weir
