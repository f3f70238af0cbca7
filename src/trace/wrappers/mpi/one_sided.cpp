// One-sided communication (RMA windows).

#include "trace/wrappers/mpi/mpi.hpp"

using namespace weir::trace;
using namespace weir::trace::mpi;

namespace {

void moved_by_one_side(MpiPlaces const& places, Context& context) {
    if (!succeeded(places, context)) {
        return;
    }
    context.offset = peer_of(context, places);
    context.length = bytes_of(context, places);
    context.complete();
}

/// Unsuccessful tests are not recorded.
void tested(MpiPlaces const& places, Context& context) {
    moved_by_one_side(places, context);
    context.recorded = *context.pointer<int>(places.found) != 0;
}

constexpr Description tests{nullptr, tested, {.found = 1}};
constexpr Description transfers{nullptr,
                                moved_by_one_side,
                                {.count = 1, .type = 2, .peer = 3, .flags = started, .further_count = 5}};
constexpr Description fetches_one{nullptr, moved_by_one_side, {.peer = 3, .flags = started}};
constexpr Description fetches_into{
    nullptr,
    moved_by_one_side,
    {.count = 4, .type = 5, .other_count = 1, .peer = 6, .flags = started, .further_count = 8}};
constexpr Description compares{nullptr, moved_by_one_side, {.peer = 4, .flags = started}};
constexpr Description to_one{nullptr, moved_by_one_side, {.peer = 0}};
constexpr Description locks{nullptr, moved_by_one_side, {.peer = 1}};
constexpr Description with_some{nullptr, moved_by_one_side, {}};
constexpr Description with_all{nullptr, moved_by_one_side, {.flags = collective}};

constexpr Description makes(int8_t unit) {
    return {nullptr, moved_by_one_side, {.flags = collective, .further_count = unit}};
}

}  // namespace

WEIR_MPI_BOTH(MPI_Put, communicate, 8, transfers)
WEIR_MPI_BOTH(MPI_Get, communicate, 8, transfers)
WEIR_MPI_BOTH(MPI_Rput, communicate, 9, transfers)
WEIR_MPI_BOTH(MPI_Rget, communicate, 9, transfers)
WEIR_MPI_BOTH(MPI_Accumulate, communicate, 9, transfers)
WEIR_MPI_BOTH(MPI_Raccumulate, communicate, 10, transfers)
WEIR_MPI_BOTH(MPI_Get_accumulate, communicate, 12, fetches_into)
WEIR_MPI_BOTH(MPI_Rget_accumulate, communicate, 13, fetches_into)
WEIR_MPI(MPI_Fetch_and_op, communicate, 7, fetches_one)
WEIR_MPI(MPI_Compare_and_swap, communicate, 7, compares)
WEIR_MPI_BOTH(MPI_Win_create, communicate, 6, makes(2))
WEIR_MPI(MPI_Win_create_dynamic, communicate, 3, with_all)
WEIR_MPI_BOTH(MPI_Win_allocate, communicate, 6, makes(1))
WEIR_MPI_BOTH(MPI_Win_allocate_shared, communicate, 6, makes(1))
WEIR_MPI(MPI_Win_free, communicate, 1, with_all)
WEIR_MPI(MPI_Win_fence, wait, 2, with_all)
WEIR_MPI(MPI_Win_lock, wait, 4, locks)
WEIR_MPI(MPI_Win_unlock, wait, 2, to_one)
WEIR_MPI(MPI_Win_lock_all, wait, 2, with_some)
WEIR_MPI(MPI_Win_unlock_all, wait, 1, with_some)
WEIR_MPI(MPI_Win_flush, wait, 2, to_one)
WEIR_MPI(MPI_Win_flush_local, wait, 2, to_one)
WEIR_MPI(MPI_Win_flush_all, wait, 1, with_some)
WEIR_MPI(MPI_Win_flush_local_all, wait, 1, with_some)
WEIR_MPI(MPI_Win_start, wait, 3, with_some)
WEIR_MPI(MPI_Win_post, wait, 3, with_some)
WEIR_MPI(MPI_Win_complete, wait, 1, with_some)
WEIR_MPI(MPI_Win_wait, wait, 1, with_some)
WEIR_MPI(MPI_Win_test, wait, 2, tests)
