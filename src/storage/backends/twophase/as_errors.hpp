#pragma once

#include "comm/collective_error_c.hpp"
#include "core/error.hpp"

namespace weir {

/// Runs a collective call of the library and turns its failures into the engine's errors: an invalid argument becomes a
/// usage error.
template <class Work>
auto as_errors(Work work) {
    try {
        return work();
    } catch (Failure const& failure) {
        auto const usage = failure.code() == WEIR_BAD_ARGUMENT || failure.code() == WEIR_DISAGREE;
        throw Error({failure.what(), "", "", usage ? ExitCode::usage : ExitCode::cannot_run});
    }
}

/// Throws one rank's failure on all ranks, as the engine's Error. Collective.
inline void agree_as_errors(Communicator const& comm, FirstFailure const& failure) {
    as_errors([&] { failure.agree(comm); });
}

}  // namespace weir
