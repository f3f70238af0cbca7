// Files of PnetCDF, and waits for requests.

#include <fcntl.h>

#include "trace/recorder/file_paths.hpp"
#include "trace/wrappers/pnetcdf/pnetcdf.hpp"

namespace weir::trace::pnetcdf {

constinit HandleTable files;

namespace {

constinit HandleTable requests;  ///< in flight: their bytes
constinit HandleTable pending;   ///< bytes of all puts, and of all gets, of a file

Word key(int file, int other) {
    return (static_cast<Word>(static_cast<uint32_t>(file)) << 32 | static_cast<uint32_t>(other)) % (Word{1} << 40);
}

/// Changes the pending bytes by `change`; returns the previous number.
uint64_t change_pending(Context const& context, int file, bool puts, int64_t change) {
    auto known = pending.take(context.library, key(file, puts ? 1 : 0));
    auto const before = known.bytes;
    known.bytes += static_cast<uint64_t>(change);
    if (known.bytes > 0) {
        pending.put(context.library, key(file, puts ? 1 : 0), known);
    }
    return before;
}

uint64_t take_all(Context const& context, int file, bool puts) {
    auto const bytes = change_pending(context, file, puts, 0);
    change_pending(context, file, puts, -static_cast<int64_t>(bytes));
    return bytes;
}

enum All : int { every = -1, gets = -2, puts = -3 };  ///< NC_REQ_ALL, NC_GET_REQ_ALL, NC_PUT_REQ_ALL

/// Requests are freed by the wait: (file, how many, requests, statuses)
void about_to_wait(PnetcdfPlaces const& places, Context& context) {
    auto const file = context.number(0);
    auto const count = context.number(1);
    set_file(context, file);
    context.flags = places.flags;
    if (count == every || count == gets) {
        context.length += take_all(context, file, false);
    }
    if (count == every || count == puts) {
        context.length += take_all(context, file, true);
    }
    for (int i = 0; i < count && context.pointer<int>(2) != nullptr; ++i) {
        if (auto const known = requests.take(context.library, key(file, context.pointer<int>(2)[i])); known.found) {
            context.length += known.bytes;
            change_pending(context, file, known.name != 0, -static_cast<int64_t>(known.bytes));
        }
    }
}

void waited(PnetcdfPlaces const&, Context& context) {
    context.outcome = outcome(context);
    if (context.outcome == 0) {
        context.complete();
    }
}

/// (communicator, name, mode, info, &file)
void opened(PnetcdfPlaces const&, Context& context) {
    static uint64_t files_so_far = 0;
    auto const* const name = context.pointer<char const>(1);
    context.set_file(name == nullptr ? 0 : file_at(AT_FDCWD, name));
    context.flags = collective;
    context.length = static_cast<unsigned>(context.number(2));
    context.outcome = outcome(context);
    if (context.outcome == 0) {
        auto const serial = __atomic_add_fetch(&files_so_far, 1, __ATOMIC_RELAXED);
        files.put(context.library, *context.pointer<uint32_t>(4), {.name = context.file, .bytes = serial});
    }
}

/// (file): its number may be reused.
void about_to_close(PnetcdfPlaces const&, Context& context) {
    set_file(context, context.number(0));
    files.take(context.library, static_cast<uint32_t>(context.number(0)));
}

void closed(PnetcdfPlaces const&, Context& context) {
    context.flags = collective;
    context.outcome = outcome(context);
}

void deleted(PnetcdfPlaces const&, Context& context) {
    auto const* const name = context.pointer<char const>(0);
    context.set_file(name == nullptr ? 0 : file_at(AT_FDCWD, name));
    context.outcome = outcome(context);
}

void done(PnetcdfPlaces const& places, Context& context) {
    set_file(context, context.number(0));
    context.flags = places.flags;
    context.outcome = outcome(context);
}

void renamed(PnetcdfPlaces const& places, Context& context) {
    done(places, context);
    forget_variables(context, context.number(0));
}

constexpr Description opens{nullptr, opened, {}};
constexpr Description closes{about_to_close, closed, {}};
constexpr Description does_collectively{nullptr, done, {.flags = collective}};
constexpr Description waits{about_to_wait, waited, {}};
constexpr Description waits_collectively{about_to_wait, waited, {.flags = collective}};

}  // namespace

void set_file(Context& context, int file) {
    context.set_file(files.get(context.library, static_cast<uint32_t>(file)).name);
}

void forget_variables(Context const& context, int file) {
    if (auto known = files.get(context.library, static_cast<uint32_t>(file)); known.found) {
        known.bytes += uint64_t{1} << 32;
        files.put(context.library, static_cast<uint32_t>(file), known);
    }
}

void begin_request(Context const& context, int request, bool puts) {
    auto const file = context.number(0);
    requests.put(context.library, key(file, request), {.name = puts ? 1U : 0U, .bytes = context.length});
    change_pending(context, file, puts, static_cast<int64_t>(context.length));
}

}  // namespace weir::trace::pnetcdf

using namespace weir::trace::pnetcdf;

WEIR_PNETCDF(ncmpi_create, open, 5, opens)
WEIR_PNETCDF(ncmpi_open, open, 5, opens)
WEIR_PNETCDF(ncmpi_close, close, 1, closes)
WEIR_PNETCDF(ncmpi_abort, close, 1, closes)
WEIR_PNETCDF(ncmpi_delete, remove, 2, Description{nullptr, deleted, {}})
WEIR_PNETCDF(ncmpi_enddef, other, 1, does_collectively)
WEIR_PNETCDF(ncmpi__enddef, other, 5, does_collectively)
WEIR_PNETCDF(ncmpi_redef, other, 1, does_collectively)
WEIR_PNETCDF(ncmpi_begin_indep_data, other, 1, does_collectively)
WEIR_PNETCDF(ncmpi_end_indep_data, other, 1, does_collectively)
WEIR_PNETCDF(ncmpi_rename_var, other, 3, Description{nullptr, renamed, {}})
WEIR_PNETCDF(ncmpi_fill_var_rec, other, 3, does_collectively)
WEIR_PNETCDF(ncmpi_sync, sync, 1, does_collectively)
WEIR_PNETCDF(ncmpi_sync_numrecs, sync, 1, does_collectively)
WEIR_PNETCDF(ncmpi_flush, sync, 1, does_collectively)
WEIR_PNETCDF(ncmpi_wait, wait, 4, waits)
WEIR_PNETCDF(ncmpi_wait_all, wait, 4, waits_collectively)
WEIR_PNETCDF(ncmpi_cancel, other, 4, waits)
