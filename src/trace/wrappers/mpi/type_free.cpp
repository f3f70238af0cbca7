// MPI_Type_free, which is not recorded: the handle of a freed type may be another type's soon.

#include "trace/wrappers/mpi/mpi.hpp"

using namespace weir::trace;
using namespace weir::trace::mpi;

namespace {

Word freeing(LibraryFunction& real, void const* caller, Word place) {
    auto const target = real.for_caller(caller);
    if (target.function == nullptr) {
        warn_missing(real.name());
        return error_missing;
    }
    forget_sizes_of_types();
    return reinterpret_cast<Word (*)(Word)>(target.function)(place);
}

}  // namespace

#define WEIR_TYPE_FREE(name)                             \
    static constinit LibraryFunction real_##name{#name}; \
    WEIR_EXPORT Word name(Word place) { return freeing(real_##name, __builtin_return_address(0), place); }

WEIR_TYPE_FREE(MPI_Type_free)
WEIR_TYPE_FREE(PMPI_Type_free)
