// Point-to-point messages.

#include "trace/wrappers/mpi/mpi.hpp"

using namespace weir::trace;
using namespace weir::trace::mpi;

namespace {

void sent(MpiPlaces const& places, Context& context) {
    context.outcome = failure(context);
    if (context.outcome != 0) {
        return;
    }
    context.offset = peer_of(context, places);
    context.file = number_of_communicator(context, context.at(places.communicator));
    context.length = bytes_of(context, places);
    context.complete();
    context.flags = places.flags;
}

/// The source in a status: its first int in Open MPI, its third in the MPICH family.
int64_t source_in(Context const& context, int place) {
    auto const source = context.pointer<int>(place)[is_open_mpi(context.library) ? 0 : 2];
    return source < 0 ? -1 : source;
}

void received(MpiPlaces const& places, Context& context) {
    sent(places, context);
    if (context.outcome >= 0) {
        context.offset = source_in(context, places.status);
        context.outcome = static_cast<int64_t>(bytes_moved(context, context.at(places.status)));
    }
}

/// A matched message has no communicator any more.
void received_matched(MpiPlaces const& places, Context& context) {
    context.outcome = failure(context);
    if (context.outcome == 0) {
        context.length = bytes_of(context, places);
        context.outcome = static_cast<int64_t>(places.status == none ? context.length
                                                                     : bytes_moved(context, context.at(places.status)));
        context.flags = places.flags;
    }
}

/// Unsuccessful probes are not recorded: programs poll a million times.
void probed(MpiPlaces const& places, Context& context) {
    context.outcome = failure(context);
    if (context.outcome != 0) {
        return;
    }
    context.recorded = places.found == none || *context.pointer<int>(places.found) != 0;
    if (context.recorded) {
        context.offset = source_in(context, places.status);
        context.file = number_of_communicator(context, context.at(places.communicator));
        context.length = bytes_moved(context, context.at(places.status));
    }
}

constexpr MpiPlaces send_places{.count = 1, .type = 2, .peer = 3, .communicator = 5};
constexpr MpiPlaces start_places{.count = 1, .type = 2, .peer = 3, .communicator = 5, .flags = started};
constexpr Description sends{nullptr, sent, send_places};
constexpr Description starts{nullptr, sent, start_places};
constexpr MpiPlaces recv_places{.count = 1, .type = 2, .peer = 3, .communicator = 5, .status = 6};
constexpr Description receives{want_status, received, recv_places};

/// Its receive is not recorded, but must fit.
constexpr Description sends_and_receives{nullptr,
                                         sent,
                                         {.count = 1, .type = 2, .other_count = 6, .peer = 3, .communicator = 10}};
constexpr Description replaces{nullptr, sent, {.count = 1, .type = 2, .peer = 3, .communicator = 7}};

constexpr Description probes{want_status, probed, {.peer = 0, .communicator = 2, .status = 3}};
constexpr Description matches{want_status, probed, {.peer = 0, .communicator = 2, .status = 4}};
constexpr Description probes_now{want_status, probed, {.peer = 0, .communicator = 2, .status = 4, .found = 3}};
constexpr Description matches_now{want_status, probed, {.peer = 0, .communicator = 2, .status = 5, .found = 3}};

constexpr Description receives_matched{want_status, received_matched, {.count = 1, .type = 2, .status = 4}};
constexpr Description starts_matched{nullptr, received_matched, {.count = 1, .type = 2, .flags = started}};

}  // namespace

WEIR_MPI_BOTH(MPI_Send, communicate, 6, sends)
WEIR_MPI_BOTH(MPI_Bsend, communicate, 6, sends)
WEIR_MPI_BOTH(MPI_Ssend, communicate, 6, sends)
WEIR_MPI_BOTH(MPI_Rsend, communicate, 6, sends)
WEIR_MPI_BOTH(MPI_Recv, communicate, 7, receives)
WEIR_MPI_BOTH(MPI_Isend, communicate, 7, starts)
WEIR_MPI_BOTH(MPI_Ibsend, communicate, 7, starts)
WEIR_MPI_BOTH(MPI_Issend, communicate, 7, starts)
WEIR_MPI_BOTH(MPI_Irsend, communicate, 7, starts)
WEIR_MPI_BOTH(MPI_Irecv, communicate, 7, starts)
WEIR_MPI_BOTH(MPI_Sendrecv, communicate, 12, sends_and_receives)
WEIR_MPI_BOTH(MPI_Sendrecv_replace, communicate, 9, replaces)
WEIR_MPI_BOTH(MPI_Mrecv, communicate, 5, receives_matched)
WEIR_MPI_BOTH(MPI_Imrecv, communicate, 5, starts_matched)
WEIR_MPI(MPI_Probe, wait, 4, probes)
WEIR_MPI(MPI_Mprobe, wait, 5, matches)
WEIR_MPI(MPI_Iprobe, wait, 5, probes_now)
WEIR_MPI(MPI_Improbe, wait, 6, matches_now)

// Persistent requests: their bytes are known at set-up, and recorded at each start.

namespace {

constinit HandleTable set_up_requests;  ///< `name`: their communicator; `bytes`: theirs

/// (data, count, type, peer, tag, communicator, &request)
void set_up(MpiPlaces const& places, Context& context) {
    context.outcome = failure(context);
    if (context.outcome == 0) {
        context.file = number_of_communicator(context, context.at(places.communicator));
        set_up_requests.put(context.library, handle_at(context, places.requests),
                            {.name = context.file, .bytes = bytes_of(context, places)});
    }
}

void started_some(MpiPlaces const& places, Context& context) {
    context.flags = started;
    context.outcome = failure(context);
    auto const count = places.request_count == none ? 1 : context.number(places.request_count);
    for (int i = 0; context.outcome == 0 && i < count; ++i) {
        auto const known = set_up_requests.get(context.library, handle_at(context, places.requests, i));
        context.length += known.bytes;
        context.file = i == 0 || context.file == known.name ? known.name : 0;
    }
    if (context.outcome == 0) {
        context.complete();
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
