// Reads and writes of MPI-IO: 48 functions of one shape, and their large-count forms.
//
// Offsets are in bytes of the file, through the view: MPI_File_get_byte_offset of the argument or, at the individual
// pointer, of MPI_File_get_position before the call. At the shared pointer it is unknown (-1), since other ranks move
// it.

#include "trace/recorder/data_memory.hpp"
#include "trace/wrappers/mpi/mpi.hpp"

using namespace weir::trace;
using namespace weir::trace::mpi;

namespace {

constinit LibrarySymbol get_position{"PMPI_File_get_position"};
constinit LibrarySymbol get_byte_offset{"PMPI_File_get_byte_offset"};

int64_t byte_offset(Context const& context, Word file, int64_t elements) {
    int64_t bytes = -1;
    return elements >= 0 && get_byte_offset.call(context.library, file, elements, &bytes) == 0 ? bytes : -1;
}

int64_t own_position(Context const& context, Word file) {
    int64_t elements = 0;
    return get_position.call(context.library, file, &elements) == 0 ? byte_offset(context, file, elements) : -1;
}

/// Sets the file. False if its position must not be queried: the recorder has not seen it opened, or it is accessed
/// sequentially (MPI_MODE_SEQUENTIAL); that would be an error, and errors may be fatal.
bool has_positions(MpiPlaces const& places, Context& context) {
    constexpr uint64_t sequential = 256;
    auto const known = files.get(context.library, context.at(places.file));
    context.set_file(known.name);
    return known.name != 0 && (known.bytes & sequential) == 0;
}

void at_own_pointer(MpiPlaces const& places, Context& context) {
    if (has_positions(places, context)) {
        context.offset = own_position(context, context.at(places.file));
    }
    want_status(places, context);
}

void at_argument(MpiPlaces const& places, Context& context) {
    if (has_positions(places, context)) {
        context.offset = byte_offset(context, context.at(places.file), static_cast<int64_t>(context.at(places.offset)));
    }
    want_status(places, context);
}

void at_shared_pointer(MpiPlaces const& places, Context& context) {
    has_positions(places, context);
    want_status(places, context);
}

/// The data stand before their count; those of MPI_BOTTOM are at addresses of the type's own.
void note_memory(MpiPlaces const& places, Context const& context) {
    auto const* const data = context.pointer<void>(places.count - 1);
    if (context.recorded && context.file != 0 && context.outcome > 0 && data != nullptr) {
        mpiio_memory.note(data, static_cast<uint64_t>(context.outcome));
    }
}

void moved(MpiPlaces const& places, Context& context) {
    context.flags = places.flags;
    context.outcome = failure(context);
    constexpr int64_t last_wrong_argument = 3;  // MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE
    bool const may_ask = context.outcome == 0 || context.outcome < -last_wrong_argument;
    context.length = may_ask ? bytes_of(context, places) : 0;
    if (context.outcome == 0) {
        context.outcome = static_cast<int64_t>(places.status == none ? context.length
                                                                     : bytes_moved(context, context.at(places.status)));
        note_memory(places, context);
        if (places.requests != none && context.recorded) {
            begin_request(context, context.at(places.requests));
        }
    }
}

/// The end of a split collective: the requested bytes are no longer known, only those moved.
void ended(MpiPlaces const& places, Context& context) {
    if (succeeded(places, context)) {
        context.length = bytes_moved(context, context.at(places.status));
        context.complete();
    }
}

using Before = void (*)(MpiPlaces const&, Context&);

/// (file, data, count, type, …)
constexpr Description in_order(Before before, uint8_t flags, int8_t status, int8_t request) {
    return {before, moved, {.count = 2, .type = 3, .status = status, .file = 0, .requests = request, .flags = flags}};
}

/// (file, offset, data, count, type, …)
constexpr Description at_offset(uint8_t flags, int8_t status, int8_t request) {
    return {at_argument,
            moved,
            {.count = 3, .type = 4, .status = status, .file = 0, .offset = 1, .requests = request, .flags = flags}};
}

constexpr Description ends{at_shared_pointer, ended, {.status = 2, .file = 0, .flags = collective}};

}  // namespace

#define WEIR_IN_ORDER(name, kind, before, flags) WEIR_MPI_IO_BOTH(name, kind, 5, in_order(before, flags, 4, none))
#define WEIR_STARTED(name, kind, before, flags) \
    WEIR_MPI_IO_BOTH(name, kind, 5, in_order(before, (flags) | started, none, 4))
#define WEIR_AT(name, kind, flags) WEIR_MPI_IO_BOTH(name, kind, 6, at_offset(flags, 5, none))
#define WEIR_STARTED_AT(name, kind, flags) WEIR_MPI_IO_BOTH(name, kind, 6, at_offset((flags) | started, none, 5))
#define WEIR_SPLIT(name, kind, before)                                                          \
    WEIR_MPI_IO_BOTH(name##_begin, kind, 4, in_order(before, collective | started, none, none)) \
    WEIR_MPI_IO(name##_end, wait, 3, ends)
#define WEIR_SPLIT_AT(name, kind)                                                        \
    WEIR_MPI_IO_BOTH(name##_begin, kind, 5, at_offset(collective | started, none, none)) \
    WEIR_MPI_IO(name##_end, wait, 3, ends)

/// MPI_File_read, MPI_File_write_at_all, MPI_File_iread_shared and so on.
#define WEIR_TRANSFERS(kind)                                                      \
    WEIR_IN_ORDER(MPI_File_##kind, kind, at_own_pointer, 0)                       \
    WEIR_IN_ORDER(MPI_File_##kind##_all, kind, at_own_pointer, collective)        \
    WEIR_IN_ORDER(MPI_File_##kind##_shared, kind, at_shared_pointer, 0)           \
    WEIR_IN_ORDER(MPI_File_##kind##_ordered, kind, at_shared_pointer, collective) \
    WEIR_AT(MPI_File_##kind##_at, kind, 0)                                        \
    WEIR_AT(MPI_File_##kind##_at_all, kind, collective)                           \
    WEIR_STARTED(MPI_File_i##kind, kind, at_own_pointer, 0)                       \
    WEIR_STARTED(MPI_File_i##kind##_all, kind, at_own_pointer, collective)        \
    WEIR_STARTED(MPI_File_i##kind##_shared, kind, at_shared_pointer, 0)           \
    WEIR_STARTED_AT(MPI_File_i##kind##_at, kind, 0)                               \
    WEIR_STARTED_AT(MPI_File_i##kind##_at_all, kind, collective)                  \
    WEIR_SPLIT(MPI_File_##kind##_all, kind, at_own_pointer)                       \
    WEIR_SPLIT(MPI_File_##kind##_ordered, kind, at_shared_pointer)                \
    WEIR_SPLIT_AT(MPI_File_##kind##_at_all, kind)

WEIR_TRANSFERS(read)
WEIR_TRANSFERS(write)

namespace {

void sought(MpiPlaces const& places, Context& context) {
    context.outcome = failure(context);
    if (has_positions(places, context) && context.outcome == 0) {
        context.offset = own_position(context, context.at(places.file));
        context.outcome = context.offset;
    }
}

}  // namespace

WEIR_MPI_IO(MPI_File_seek, seek, 3, Description{nullptr, sought, {.file = 0}})
