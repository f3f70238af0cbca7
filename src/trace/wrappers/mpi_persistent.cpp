// Messages that are set up once and started again and again: what they move is known when they are set up, and told
// when they are started.

#include "trace/wrappers/mpi.hpp"

using namespace weir::trace;
using namespace weir::trace::mpi;

namespace {

constinit Handles set_up_requests;  ///< as `name` their communicator's, as `bytes` theirs

Word handle_at(Context const& context, int place, int index) {
    return is_open_mpi(context.library) ? context.pointer<Word>(place)[index] : context.pointer<uint32_t>(place)[index];
}

/// (data, count, type, peer, tag, communicator, &request)
void set_up(Places const& places, Context& context) {
    context.outcome = failure(context);
    if (context.outcome == 0) {
        context.file = number_of_communicator(context, context.at(places.communicator));
        set_up_requests.put(context.library, handle_at(context, places.requests, 0),
                            {.name = context.file, .bytes = bytes_of(context, places)});
    }
}

void started_some(Places const& places, Context& context) {
    context.flags = started;
    context.outcome = failure(context);
    auto const count = places.request_count == none ? 1 : context.number(places.request_count);
    for (int i = 0; context.outcome == 0 && i < count; ++i) {
        Handles::Known known;
        set_up_requests.get(context.library, handle_at(context, places.requests, i), known);
        context.length += known.bytes;
        context.file = i == 0 || context.file == known.name ? known.name : 0;
    }
    if (context.outcome == 0) {
        context.outcome = static_cast<int64_t>(context.length);
    }
}

constexpr Description sets_up{nullptr, set_up, {.count = 1, .type = 2, .peer = 3, .communicator = 5, .requests = 6}};

}  // namespace

WEIR_MPI_BOTH(MPI_Send_init, other, 7, sets_up)
WEIR_MPI_BOTH(MPI_Bsend_init, other, 7, sets_up)
WEIR_MPI_BOTH(MPI_Ssend_init, other, 7, sets_up)
WEIR_MPI_BOTH(MPI_Rsend_init, other, 7, sets_up)
WEIR_MPI_BOTH(MPI_Recv_init, other, 7, sets_up)
WEIR_MPI(MPI_Start, communicate, 1, Description{nullptr, started_some, {.requests = 0}})
WEIR_MPI(MPI_Startall, communicate, 2, Description{nullptr, started_some, {.requests = 1, .request_count = 0}})
