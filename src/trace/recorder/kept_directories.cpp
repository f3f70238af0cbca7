#include "trace/recorder/kept_directories.hpp"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "trace/recorder/file_paths.hpp"
#include "trace/recorder/names.hpp"
#include "trace/recorder/recorder.hpp"

namespace weir::trace {
namespace {

/// Counters of changes: of descriptors with equal remainders, and of all names. They begin above 0.
constexpr unsigned counters = 256;
uint32_t changes_of[counters];
uint64_t current_changes = 1;
uint32_t name_changes = 0;
uint32_t library_walks = 0;

uint64_t validity_of(int descriptor) {
    auto const own = __atomic_load_n(&changes_of[static_cast<unsigned>(descriptor) % counters], __ATOMIC_RELAXED);
    return (uint64_t{own} << 32) + __atomic_load_n(&current_changes, __ATOMIC_ACQUIRE) +
           __atomic_load_n(&name_changes, __ATOMIC_ACQUIRE);
}

/// Null if the thread has no memory of its own.
KeptDirectory* place_of(int descriptor) {
    scratch();
    auto* const own = this_thread.scratch;
    if (own == nullptr) {
        return nullptr;
    }
    auto& kept = own->directories;
    return &kept.all[descriptor == AT_FDCWD ? KeptDirectories::of_descriptors
                                            : static_cast<unsigned>(descriptor) % KeptDirectories::of_descriptors];
}

/// Its path of this length is set, but for the slash at its end.
void complete(KeptDirectory& kept, size_t length, int descriptor, uint64_t validity) {
    kept.path[length] = '/';
    kept.path[length + 1] = 0;
    kept.length = static_cast<uint16_t>(length + 1);
    kept.hash = hash_text(kept.path, hash_of_files);
    kept.recorded = process.settings.wanted_below(kept.path);
    kept.descriptor = descriptor;
    kept.validity = validity;
}

KeptDirectory const* keep(KeptDirectory& kept, int descriptor, uint64_t validity, char const* path) {
    auto const length = strnlen(path, KeptDirectory::longest + 1);
    kept.validity = 0;
    if (path[0] != '/' || length > KeptDirectory::longest) {
        return nullptr;
    }
    memcpy(kept.path, path, length);
    complete(kept, length == 1 ? 0 : length, descriptor, validity);
    return &kept;
}

}  // namespace

KeptDirectory const* kept_directory(int descriptor) {
    auto* const kept = place_of(descriptor);
    auto const validity = validity_of(descriptor);
    if (kept == nullptr) {
        return nullptr;
    }
    if (kept->validity == validity && kept->descriptor == descriptor) [[likely]] {
        return kept;
    }
    if (descriptor == AT_FDCWD && __atomic_load_n(&library_walks, __ATOMIC_RELAXED) != 0) {
        return nullptr;
    }
    auto& path = scratch().name;
    path_of_directory(descriptor, path, sizeof path);
    return keep(*kept, descriptor, validity, path);
}

void keep_directory(int descriptor, char const* path) {
    auto* const kept = place_of(descriptor);
    if (kept != nullptr) {
        keep(*kept, descriptor, validity_of(descriptor), path);
    }
}

void keep_directory_in(KeptDirectory const& parent, char const* name, size_t length, int descriptor) {
    auto* const kept = place_of(descriptor);
    auto const whole = parent.length + length;
    if (kept == nullptr || kept == &parent || whole > KeptDirectory::longest) {
        return;
    }
    memcpy(kept->path, parent.path, parent.length);
    memcpy(kept->path + parent.length, name, length);
    complete(*kept, whole, descriptor, validity_of(descriptor));
}

void keep_duplicate(int from, int to) {
    auto const* const source = place_of(from);
    auto* const kept = place_of(to);
    if (source != nullptr && kept != source && source->descriptor == from && source->validity == validity_of(from)) {
        memcpy(kept, source, offsetof(KeptDirectory, path) + source->length + 1);
        kept->descriptor = to;
        kept->validity = validity_of(to);
    }
}

void descriptor_changed(int descriptor) {
    __atomic_fetch_add(&changes_of[static_cast<unsigned>(descriptor) % counters], 1, __ATOMIC_RELAXED);
}

void directory_changed() { __atomic_fetch_add(&current_changes, 1, __ATOMIC_RELEASE); }

uint64_t directory_changes() { return __atomic_load_n(&current_changes, __ATOMIC_RELAXED); }

void names_changed() { __atomic_fetch_add(&name_changes, 1, __ATOMIC_RELEASE); }

void begin_library_walk() {
    __atomic_fetch_add(&library_walks, 1, __ATOMIC_RELAXED);
    directory_changed();
}

void end_library_walk() {
    directory_changed();
    __atomic_fetch_sub(&library_walks, 1, __ATOMIC_RELAXED);
}

PlainName::PlainName(char const* name, uint64_t hash_before) : hash(hash_before) {
    bool starts = true;
    bool slashes = false;
    auto const* at = name;
    for (; *at != 0; ++at) {
        auto const c = *at;
        if (starts && (c == '/' || (c == '.' && (at[1] == '/' || at[1] == 0)))) {
            return;
        }
        starts = c == '/';
        slashes |= starts;
        hash = hash_character(hash, c);
    }
    length = static_cast<size_t>(at - name);
    plain = !starts && length < 4096;
    single = plain && !slashes && !(length == 2 && name[0] == '.' && name[1] == '.');
}

}  // namespace weir::trace
