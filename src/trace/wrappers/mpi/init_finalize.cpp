// MPI_Init, MPI_Finalize, and MPI_Abort.

#include "trace/recorder/process_facts.hpp"
#include "trace/wrappers/mpi/mpi.hpp"

namespace weir::trace::mpi {
namespace {

void add_facts(Library const* library) {
    auto const rank = rank_in(library, world(library));
    if (rank >= 0) {
        add_fact("rank", rank);
    }
    auto const ranks = ranks_of(library, world(library));
    if (ranks > 0) {
        add_fact("ranks", ranks);
    }
    if (was_spawned(library)) {
        add_fact("was_spawned", 1);
    }
}

void begun(MpiPlaces const&, Context& context) {
    context.outcome = failure(context);
    context.flags = collective;
    if (context.outcome == 0) {
        add_facts(context.library);
    }
}

void over(MpiPlaces const&, Context& context) {
    context.outcome = -int64_t{context.code()};
    context.flags = collective;
}

}  // namespace
}  // namespace weir::trace::mpi

using namespace weir::trace;
using namespace weir::trace::mpi;

WEIR_MPI(MPI_Init, other, 2, Description{nullptr, begun, {}})
WEIR_MPI(MPI_Init_thread, other, 4, Description{nullptr, begun, {}})
WEIR_MPI(MPI_Finalize, other, 0, Description{nullptr, over, {}})
WEIR_CALL(MPI, MPI_Abort, other);

namespace {

/// It does not return: recorded when it begins.
Word abort(LibraryFunction& real, void const* caller, Word communicator, Word code) {
    auto* const frame = __builtin_frame_address(0);
    if (recording() && !innermost.is(call_MPI_Abort, frame)) {
        Recording(call_MPI_Abort).end(0, -1, 0, static_cast<int>(code));
        innermost = {&call_MPI_Abort, frame};
    }
    auto const target = real.for_caller(caller);
    if (target.function == nullptr) {
        warn_missing(real.name());
        return error_missing;
    }
    return reinterpret_cast<Word (*)(Word, Word)>(target.function)(communicator, code);
}

}  // namespace

#define WEIR_ABORT(name)                                                            \
    static constinit LibraryFunction real_##name{#name};                            \
    WEIR_EXPORT Word name(Word communicator, Word code) {                           \
        return abort(real_##name, __builtin_return_address(0), communicator, code); \
    }

WEIR_ABORT(MPI_Abort)
WEIR_ABORT(PMPI_Abort)
