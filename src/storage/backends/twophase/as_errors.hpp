#pragma once

#include "array/failure.hpp"
#include "core/error.hpp"

namespace weir {

/// Runs what the library does for all ranks together, with the engine's errors: what means nothing is a mistake of
/// usage.
template <class Work>
auto as_errors(Work work) {
    try {
        return work();
    } catch (array::Failure const& failure) {
        auto const usage = failure.code() == WEIR_BAD_ARGUMENT || failure.code() == WEIR_DISAGREE;
        throw Error({failure.what(), "", "", usage ? ExitCode::usage : ExitCode::cannot_run});
    }
}

}  // namespace weir
