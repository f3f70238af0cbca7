// Files of MPI-IO: open, close, and all but reads and writes.

#include <fcntl.h>
#include <strings.h>

#include "trace/recorder/file_paths.hpp"
#include "trace/wrappers/mpi/mpi.hpp"

namespace weir::trace::mpi {

constinit HandleTable files;

namespace {

/// ROMIO's file system prefixes of names, as in "ufs:data".
char const* without_prefix(char const* name) {
    static char const* const prefixes[] = {
        "ufs:",   "nfs:",    "xfs:",        "lustre:", "gpfs:", "panfs:",  "pvfs:",
        "pvfs2:", "piofs:",  "sfs:",        "hfs:",    "pfs:",  "zoidfs:", "testfs:",
        "ftp:",   "gsiftp:", "bglockless:", "blcr:",   "ime:",  "daos:",   "quobyte:"};
    for (auto const* prefix : prefixes) {
        auto const length = strlen(prefix);
        if (strncmp(name, prefix, length) == 0) {
            return name + length;
        }
    }
    return name;
}

uint32_t number_of(char const* name) { return name == nullptr ? 0 : file_at(AT_FDCWD, without_prefix(name)); }

/// (communicator, name, mode, info, &file)
void opened(MpiPlaces const&, Context& context) {
    context.set_file(number_of(context.pointer<char const>(1)));
    context.flags = collective;
    context.length = static_cast<unsigned>(context.number(2));
    context.outcome = failure(context);
    if (context.outcome == 0) {
        files.put(context.library, *context.pointer<Word>(4), {.name = context.file, .bytes = context.length});
    }
}

/// (&file): the handle is invalid afterwards.
void about_to_close(MpiPlaces const&, Context& context) {
    context.set_file(files.take(context.library, *context.pointer<Word>(0)).name);
}

void closed(MpiPlaces const&, Context& context) {
    context.flags = collective;
    context.outcome = failure(context);
}

void deleted(MpiPlaces const&, Context& context) {
    context.set_file(number_of(context.pointer<char const>(0)));
    context.outcome = failure(context);
}

void done(MpiPlaces const& places, Context& context) {
    context.set_file(files.get(context.library, context.at(0)).name);
    context.flags = places.flags;
    context.outcome = failure(context);
    context.length = places.count == none ? 0 : context.at(places.count);
    context.offset = places.offset == none ? -1 : static_cast<int64_t>(context.at(places.offset));
}

void asked_size(MpiPlaces const& places, Context& context) {
    done(places, context);
    context.outcome = context.outcome == 0 ? *context.pointer<int64_t>(1) : context.outcome;
}

/// (file, displacement, etype, filetype, representation, info): the types' numbers, 0 if the call failed.
void viewed(MpiPlaces const& places, Context& context) {
    done(places, context);
    if (context.recorded && context.outcome == 0) {
        auto const* const representation = context.pointer<char const>(4);
        auto const file_type = strcasecmp(representation, "native") == 0
                                   ? number_of_type(context, context.at(3))
                                   : number_of_unknown_type("the data representation is not native");
        context.length = file_type | uint64_t{number_of_type(context, context.at(2))} << 32;
    }
}

constexpr Description does{nullptr, done, {}};
constexpr Description does_collectively{nullptr, done, {.flags = collective}};
constexpr Description resizes{nullptr, done, {.count = 1, .flags = collective}};
constexpr Description views{nullptr, viewed, {.offset = 1, .flags = collective}};

}  // namespace
}  // namespace weir::trace::mpi

using namespace weir::trace::mpi;

WEIR_MPI_IO(MPI_File_open, open, 5, Description{nullptr, opened, {}})
WEIR_MPI_IO(MPI_File_close, close, 1, Description{about_to_close, closed, {}})
WEIR_MPI_IO(MPI_File_delete, remove, 2, Description{nullptr, deleted, {}})
WEIR_MPI_IO(MPI_File_set_size, resize, 2, resizes)
WEIR_MPI_IO(MPI_File_preallocate, resize, 2, resizes)
WEIR_MPI_IO(MPI_File_get_size, stat, 2, Description{nullptr, asked_size, {}})
WEIR_MPI_IO(MPI_File_sync, sync, 1, does_collectively)
WEIR_MPI_IO(MPI_File_seek_shared, seek, 3, does_collectively)
WEIR_MPI_IO(MPI_File_set_view, other, 6, views)
WEIR_MPI_IO(MPI_File_set_atomicity, other, 2, does_collectively)
WEIR_MPI_IO(MPI_File_set_info, other, 2, does_collectively)
WEIR_MPI_IO(MPI_File_get_info, other, 2, does)
WEIR_MPI_IO(MPI_File_get_view, other, 5, does)
WEIR_MPI_IO(MPI_File_get_position, other, 2, does)
WEIR_MPI_IO(MPI_File_get_position_shared, other, 2, does)
WEIR_MPI_IO(MPI_File_get_byte_offset, other, 3, does)
WEIR_MPI_IO(MPI_File_get_atomicity, other, 2, does)
WEIR_MPI_IO(MPI_File_get_amode, other, 2, does)
WEIR_MPI_IO(MPI_File_get_group, other, 2, does)
WEIR_MPI_IO_BOTH(MPI_File_get_type_extent, other, 3, does)
