// Reads and writes of HDF5. Bytes are those in memory: the selected points times the size of the memory type. Only
// nested calls know the offset in the file: it is -1 here.

#include "trace/wrappers/hdf5/hdf5.hpp"

using namespace weir::trace;
using namespace weir::trace::hdf5;

namespace {

constinit LibrarySymbol type_size{"H5Tget_size"};
constinit LibrarySymbol selected_points{"H5Sget_select_npoints"};
constinit LibrarySymbol extent_points{"H5Sget_simple_extent_npoints"};
constinit LibrarySymbol dataset_space{"H5Dget_space"};
constinit LibrarySymbol attribute_space{"H5Aget_space"};
constinit LibrarySymbol close_space{"H5Sclose"};
constinit LibrarySymbol chunk_bytes{"H5Dget_chunk_storage_size"};
constinit LibrarySymbol get_transfer_mode{"H5Pget_dxpl_mpio"};

/// H5S_ALL, and since 1.14 H5S_BLOCK and H5S_PLIST, are not dataspaces.
constexpr Word last_special_space = 2;

int64_t points_of_whole(Context const& context, Word object, LibrarySymbol& space_of) {
    auto const open = space_of.in<Word (*)(Word)>(context.library);
    auto const count = extent_points.in<int64_t (*)(Word)>(context.library);
    auto const close = close_space.in<int (*)(Word)>(context.library);
    if (open == nullptr || count == nullptr || close == nullptr) {
        return 0;
    }
    auto const space = open(object);
    auto const points = count(space);
    close(space);
    return points;
}

int64_t points_of(Context const& context, Word dataset, Word memory_space, Word file_space) {
    auto const space = memory_space > last_special_space ? memory_space : file_space;
    auto const count = selected_points.in<int64_t (*)(Word)>(context.library);
    if (space > last_special_space) {
        return count == nullptr ? 0 : count(space);
    }
    return points_of_whole(context, dataset, dataset_space);
}

uint64_t bytes_of(Context const& context, int64_t points, Word type) {
    auto const ask = type_size.in<size_t (*)(Word)>(context.library);
    return points <= 0 || ask == nullptr ? 0 : static_cast<uint64_t>(points) * ask(type);
}

/// Is this transfer collective? H5FD_MPIO_COLLECTIVE is 1. H5P_DEFAULT is 0.
uint8_t flags_of(Context const& context, Word transfer) {
    int mode = 0;
    return transfer != 0 && get_transfer_mode.call(context.library, transfer, &mode) >= 0 && mode == 1 ? collective : 0;
}

void finish(Hdf5Places const& places, Context& context, uint64_t bytes, Word transfer) {
    context.length = bytes;
    context.outcome = static_cast<int64_t>(bytes);
    context.flags = places.flags | flags_of(context, transfer);
}

/// (dataset, type, memory space, file space, transfer, data)
void moved(Hdf5Places const& places, Context& context) {
    auto const dataset = context.at(places.object);
    context.set_file(known_object(context, dataset).name);
    context.outcome = outcome(context);
    if (failed(context) || !context.recorded) {
        return;
    }
    auto const first = places.object;
    auto const points = points_of(context, dataset, context.at(first + 2), context.at(first + 3));
    finish(places, context, bytes_of(context, points, context.at(first + 1)), context.at(first + 4));
}

/// (count, datasets, types, memory spaces, file spaces, transfer, data): recorded for their file if there are several.
void moved_several(Hdf5Places const& places, Context& context) {
    context.outcome = outcome(context);
    if (failed(context)) {
        return;
    }
    auto const count = context.at(0);
    uint64_t bytes = 0;
    for (Word i = 0; i < count; ++i) {
        auto const dataset = context.pointer<Word>(1)[i];
        auto const known = known_object(context, dataset);
        context.file = count == 1 ? known.name : static_cast<uint32_t>(known.bytes);
        auto const points = points_of(context, dataset, context.pointer<Word>(3)[i], context.pointer<Word>(4)[i]);
        bytes += bytes_of(context, points, context.pointer<Word>(2)[i]);
    }
    context.recorded = context.file != 0;
    finish(places, context, bytes, context.at(5));
}

/// (dataset, transfer, filters, place, bytes, data)
void wrote_chunk(Hdf5Places const& places, Context& context) {
    context.set_file(known_object(context, context.at(0)).name);
    context.outcome = outcome(context);
    context.length = context.at(4);
    if (!failed(context)) {
        finish(places, context, context.length, context.at(1));
    }
}

/// (dataset, transfer, place, filters, data)
void read_chunk(Hdf5Places const& places, Context& context) {
    context.set_file(known_object(context, context.at(0)).name);
    context.outcome = outcome(context);
    uint64_t bytes = 0;
    if (!failed(context) && chunk_bytes.call(context.library, context.at(0), context.at(2), &bytes) >= 0) {
        finish(places, context, bytes, context.at(1));
    }
}

/// (attribute, type, data)
void moved_attribute(Hdf5Places const& places, Context& context) {
    auto const attribute = context.at(0);
    context.set_file(known_object(context, attribute).name);
    context.outcome = outcome(context);
    if (!failed(context) && context.recorded) {
        auto const points = points_of_whole(context, attribute, attribute_space);
        finish(places, context, bytes_of(context, points, context.at(1)), 0);
    }
}

/// An operation on one object.
void done(Hdf5Places const& places, Context& context) {
    context.set_file(known_object(context, context.at(places.object)).name);
    context.outcome = outcome(context);
    context.flags = places.flags;
}

/// An int that says whether something exists.
void asked(Hdf5Places const& places, Context& context) {
    done(places, context);
    context.outcome = failed(context) ? -1 : context.code();
}

constexpr Description moves{nullptr, moved, {.object = 0}};
constexpr Description moves_later{nullptr, moved, {.object = 3, .flags = started}};
constexpr Description moves_several{nullptr, moved_several, {}};
constexpr Description moves_attribute{nullptr, moved_attribute, {}};
constexpr Description does{nullptr, done, {.object = 0}};
constexpr Description asks{nullptr, asked, {.object = 0}};

}  // namespace

WEIR_HDF5(H5Dread, read, 6, moves)
WEIR_HDF5(H5Dwrite, write, 6, moves)
WEIR_HDF5(H5Dread_async, read, 10, moves_later)
WEIR_HDF5(H5Dwrite_async, write, 10, moves_later)
WEIR_HDF5(H5Dread_multi, read, 7, moves_several)
WEIR_HDF5(H5Dwrite_multi, write, 7, moves_several)
WEIR_HDF5(H5Dread_chunk, read, 5, Description{nullptr, read_chunk, {}})
WEIR_HDF5(H5Dwrite_chunk, write, 6, Description{nullptr, wrote_chunk, {}})
WEIR_HDF5(H5Aread, read, 3, moves_attribute)
WEIR_HDF5(H5Awrite, write, 3, moves_attribute)

WEIR_HDF5(H5Fflush, sync, 2, does)
WEIR_HDF5(H5Dflush, sync, 1, does)
WEIR_HDF5(H5Gflush, sync, 1, does)
WEIR_HDF5(H5Oflush, sync, 1, does)
WEIR_HDF5(H5Dset_extent, resize, 2, does)
WEIR_HDF5(H5Lexists, stat, 3, asks)
WEIR_HDF5(H5Aexists, stat, 2, asks)
WEIR_HDF5(H5Oexists_by_name, stat, 3, asks)
WEIR_HDF5(H5Ldelete, remove, 3, does)
