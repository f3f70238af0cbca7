// HDF5 files, datasets, groups, and attributes: open and close.

#include <fcntl.h>
#include <stdio.h>

#include "trace/recorder/file_paths.hpp"
#include "trace/recorder/names.hpp"
#include "trace/recorder/open_files.hpp"
#include "trace/wrappers/hdf5/hdf5.hpp"

namespace weir::trace::hdf5 {

constinit HandleTable objects;

namespace {

constinit LibrarySymbol get_file_name{"H5Fget_name"};
constinit LibrarySymbol get_object_name{"H5Iget_name"};
constinit LibrarySymbol get_attribute_name{"H5Aget_name"};
constinit LibrarySymbol get_type{"H5Iget_type"};

enum Kind : int { file_object = 1 };

struct Name {
    char text[2048] = {};
};

uint32_t file_of_object(Library const* library, Word object) {
    Name name;
    auto const length = get_file_name.call<ssize_t>(library, object, &name.text[0], sizeof name.text - 1);
    return length > 0 ? file_at(AT_FDCWD, name.text) : 0;
}

/// The path of an object; for an attribute, of its parent.
bool path_of(Library const* library, Word object, Name& name) {
    return get_object_name.call<ssize_t>(library, object, &name.text[0], sizeof name.text - 1) > 0;
}

HandleTable::Info look_up(Library const* library, Word object) {
    auto const file = file_of_object(library, object);
    if (file == 0 || get_type.call(library, object) == file_object) {
        return {.name = file, .bytes = file};
    }
    Name name;
    if (!path_of(library, object, name)) {
        static uint32_t without_name = 0;
        snprintf(name.text, sizeof name.text, "(unnamed %u)", __atomic_add_fetch(&without_name, 1, __ATOMIC_RELAXED));
    }
    return {.name = dataset_number(file, name.text), .bytes = file};
}

HandleTable::Info look_up_attribute(Library const* library, Word object) {
    auto const file = file_of_object(library, object);
    Name name;
    path_of(library, object, name);
    auto const length = strnlen(name.text, sizeof name.text / 2);
    name.text[length] = '@';
    get_attribute_name.call<ssize_t>(library, object, sizeof name.text - length - 2, name.text + length + 1);
    return {.name = dataset_number(file, name.text), .bytes = file};
}

void opened_file(Hdf5Places const& places, Context& context) {
    context.outcome = outcome(context);
    context.length = static_cast<unsigned>(context.number(places.size));
    auto const* const name = context.pointer<char const>(places.name);
    context.set_file(name == nullptr ? 0 : file_at(AT_FDCWD, name));
    if (!failed(context)) {
        objects.put(context.library, context.result, {.name = context.file, .bytes = context.file});
    }
}

/// An object that could not be opened has no name: its call is attributed to the object in which it was looked up.
template <HandleTable::Info (*look)(Library const*, Word)>
void opened(Hdf5Places const& places, Context& context) {
    context.outcome = outcome(context);
    if (failed(context)) {
        context.set_file(objects.get(context.library, context.at(places.object)).name);
        return;
    }
    auto const known = look(context.library, context.result);
    objects.put(context.library, context.result, known);
    context.set_file(known.name);
}

/// Its identifier is invalid afterwards.
void about_to_close(Hdf5Places const& places, Context& context) {
    context.set_file(objects.take(context.library, context.at(places.object)).name);
}

void closed(Hdf5Places const&, Context& context) { context.outcome = outcome(context); }

/// An identifier is released: a close, if it was the last reference to a known object.
void given_back(Hdf5Places const& places, Context& context) {
    context.set_file(context.code() == 0 ? objects.take(context.library, context.at(places.object)).name : 0);
}

/// (object, place, name, …): a nameless object gets a name. h5py writes to datasets before they have one.
void linked(Hdf5Places const&, Context& context) {
    context.outcome = outcome(context);
    auto const known = objects.get(context.library, context.at(0));
    context.set_file(known.name);
    Name place;
    auto const* const name = context.pointer<char const>(2);
    if (failed(context) || !context.recorded || name == nullptr || !path_of(context.library, context.at(1), place)) {
        return;
    }
    Name whole;
    bool const from_root = name[0] == '/';
    bool const in_root = strcmp(place.text, "/") == 0;
    snprintf(whole.text, sizeof whole.text, "%s%s%s", from_root || in_root ? "" : place.text, from_root ? "" : "/",
             name);
    rename_dataset(known.name, static_cast<uint32_t>(known.bytes), whole.text);
}

constexpr Description opens_file(int8_t first) {
    return {nullptr, opened_file, {.name = first, .size = static_cast<int8_t>(first + 1)}};
}
constexpr Description opens(int8_t first) { return {nullptr, opened<look_up>, {.object = first}}; }
constexpr Description opens_attribute(int8_t first) { return {nullptr, opened<look_up_attribute>, {.object = first}}; }
constexpr Description closes(int8_t first) { return {about_to_close, closed, {.object = first}}; }

}  // namespace

HandleTable::Info known_object(Context const& context, Word object) {
    auto known = objects.get(context.library, object);
    if (!known.found && !failed(context)) {
        known = look_up(context.library, object);
        objects.put(context.library, object, known);
    }
    return known;
}

}  // namespace weir::trace::hdf5

using namespace weir::trace::hdf5;

// Functions ending in _async begin with their call site: a file, a function, a line.

WEIR_HDF5(H5Fcreate, open, 4, opens_file(0))
WEIR_HDF5(H5Fcreate_async, open, 8, opens_file(3))
WEIR_HDF5(H5Fopen, open, 3, opens_file(0))
WEIR_HDF5(H5Fopen_async, open, 7, opens_file(3))
WEIR_HDF5(H5Fclose, close, 1, closes(0))
WEIR_HDF5(H5Fclose_async, close, 5, closes(3))

WEIR_HDF5(H5Dcreate1, open, 5, opens(0))
WEIR_HDF5(H5Dcreate2, open, 7, opens(0))
WEIR_HDF5(H5Dcreate_async, open, 11, opens(3))
WEIR_HDF5(H5Dcreate_anon, open, 5, opens(0))
WEIR_HDF5(H5Dopen1, open, 2, opens(0))
WEIR_HDF5(H5Dopen2, open, 3, opens(0))
WEIR_HDF5(H5Dopen_async, open, 7, opens(3))
WEIR_HDF5(H5Dclose, close, 1, closes(0))
WEIR_HDF5(H5Dclose_async, close, 5, closes(3))

WEIR_HDF5(H5Gcreate1, open, 3, opens(0))
WEIR_HDF5(H5Gcreate2, open, 5, opens(0))
WEIR_HDF5(H5Gcreate_anon, open, 3, opens(0))
WEIR_HDF5(H5Gopen1, open, 2, opens(0))
WEIR_HDF5(H5Gopen2, open, 3, opens(0))
WEIR_HDF5(H5Gclose, close, 1, closes(0))

WEIR_HDF5(H5Oopen, open, 3, opens(0))
WEIR_HDF5(H5Oopen_by_idx, open, 7, opens(0))
WEIR_HDF5(H5Olink, other, 5, Description{nullptr, linked, {}})
WEIR_HDF5(H5Oclose, close, 1, closes(0))
WEIR_HDF5(H5Idec_ref, close, 1, Description{nullptr, given_back, {.object = 0}})

WEIR_HDF5(H5Acreate1, open, 5, opens_attribute(0))
WEIR_HDF5(H5Acreate2, open, 6, opens_attribute(0))
WEIR_HDF5(H5Acreate_by_name, open, 8, opens_attribute(0))
WEIR_HDF5(H5Aopen, open, 3, opens_attribute(0))
WEIR_HDF5(H5Aopen_name, open, 2, opens_attribute(0))
WEIR_HDF5(H5Aopen_idx, open, 2, opens_attribute(0))
WEIR_HDF5(H5Aopen_by_name, open, 5, opens_attribute(0))
WEIR_HDF5(H5Aopen_by_idx, open, 7, opens_attribute(0))
WEIR_HDF5(H5Aclose, close, 1, closes(0))
