// Completion of requests: of messages, nonblocking collectives, and file transfers.

#include "trace/wrappers/mpi/mpi.hpp"

namespace weir::trace::mpi {

constinit HandleTable requests;

namespace {

/// A file transfer among the requests of a wait.
struct Transfer {
    Word request;
    int index;
};

/// Those of one wait: a number, and the list. Short lists are in the context, longer ones in allocated memory.
struct Transfers {
    int count;
    int room;
    Transfer* list;
};
constexpr size_t header = sizeof(Transfers);
constexpr int few = static_cast<int>((sizeof(Context::buffer) - header) / sizeof(Transfer));

Transfers& transfers_of(Context& context) { return *reinterpret_cast<Transfers*>(context.buffer); }

int number_of_requests(MpiPlaces const& places, Context const& context) {
    return places.request_count == none ? 1 : context.number(places.request_count);
}

/// Requests are freed by the wait: those of files are noted before it.
void note_transfers(MpiPlaces const& places, Context& context) {
    auto& transfers = transfers_of(context);
    auto const all = number_of_requests(places, context);
    transfers = {0, few, reinterpret_cast<Transfer*>(context.buffer + header)};
    if (requests.empty()) {
        return;
    }
    if (all > few) {
        auto* const more = static_cast<Transfer*>(system::map_memory(static_cast<size_t>(all) * sizeof(Transfer)));
        transfers.list = more == nullptr ? transfers.list : more;
        transfers.room = more == nullptr ? few : all;
    }
    for (int i = 0; i < all && transfers.count < transfers.room; ++i) {
        auto const request = handle_at(context, places.requests, i);
        if (requests.get(context.library, request).found) {
            transfers.list[transfers.count++] = {request, i};
        }
    }
}

/// Sums up completed ones: their requests are no longer in the list.
void take_done(MpiPlaces const& places, Context& context) {
    auto const& transfers = transfers_of(context);
    bool several_files = false;
    for (int i = 0; i < transfers.count; ++i) {
        auto const& transfer = transfers.list[i];
        if (handle_at(context, places.requests, transfer.index) == transfer.request) {
            continue;
        }
        auto const known = requests.take(context.library, transfer.request);
        if (known.memory != nullptr) {
            system::unmap(known.memory, known.bytes);
        } else if (known.found) {
            several_files = several_files || (context.file != 0 && context.file != known.name);
            context.file = known.name;
            context.length += known.bytes;
        }
    }
    context.file = several_files ? 0 : context.file;
    if (transfers.room > few) {
        system::unmap(transfers.list, static_cast<size_t>(transfers.room) * sizeof(Transfer));
    }
}

/// Programs poll a million times: only the successful test is recorded.
void waited(MpiPlaces const& places, Context& context) {
    take_done(places, context);
    context.recorded = places.found == none || *context.pointer<int>(places.found) > 0;
    context.outcome = failure(context);
    if (context.outcome == 0) {
        context.complete();
    }
}

/// A freed request has no wait: its handle may be reused.
void let_go(MpiPlaces const& places, Context& context) {
    requests.take(context.library, handle_at(context, places.requests));
}

void gone(MpiPlaces const&, Context& context) { context.outcome = failure(context); }

constexpr Description waits_for(MpiPlaces places) { return {note_transfers, waited, places}; }

void put_request(Library const* library, Word request_place, HandleTable::Info info) {
    auto const request = is_open_mpi(library) ? *reinterpret_cast<Word const*>(request_place)
                                              : *reinterpret_cast<uint32_t const*>(request_place);
    requests.put(library, request, info);
}

}  // namespace

void begin_request(Context const& context, Word request_place) {
    put_request(context.library, request_place, {.name = context.file, .bytes = context.length});
}

void keep_for_request(Library const* library, Word request_place, void* memory, size_t bytes) {
    put_request(library, request_place, {.bytes = bytes, .memory = memory});
}

}  // namespace weir::trace::mpi

using namespace weir::trace::mpi;

WEIR_MPI(MPI_Request_free, other, 1, Description{let_go, gone, {.requests = 0}})
WEIR_MPI(MPI_Wait, wait, 2, waits_for({.requests = 0}))
WEIR_MPI(MPI_Waitall, wait, 3, waits_for({.requests = 1, .request_count = 0}))
WEIR_MPI(MPI_Waitany, wait, 4, waits_for({.requests = 1, .request_count = 0}))
WEIR_MPI(MPI_Waitsome, wait, 5, waits_for({.requests = 1, .request_count = 0}))
WEIR_MPI(MPI_Test, wait, 3, waits_for({.found = 1, .requests = 0}))
WEIR_MPI(MPI_Testall, wait, 4, waits_for({.found = 2, .requests = 1, .request_count = 0}))
WEIR_MPI(MPI_Testany, wait, 5, waits_for({.found = 3, .requests = 1, .request_count = 0}))
WEIR_MPI(MPI_Testsome, wait, 5, waits_for({.found = 2, .requests = 1, .request_count = 0}))
