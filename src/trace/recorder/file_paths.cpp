#include "trace/recorder/file_paths.hpp"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "trace/recorder/kept_directories.hpp"
#include "trace/recorder/names.hpp"
#include "trace/recorder/open_files.hpp"
#include "trace/recorder/process_facts.hpp"
#include "trace/recorder/recorder.hpp"

namespace weir::trace {
namespace {

/// Normalises an absolute path to the name that the system has for the descriptor: "/a/./b//" is "/a/b". (Only the file
/// system can resolve ".." and links.)
void normalise(char* path) {
    auto* to = path;
    for (char const* from = path; *from != 0;) {
        bool const is_dot = from[0] == '/' && from[1] == '.' && (from[2] == '/' || from[2] == 0);
        bool const is_empty = from[0] == '/' && (from[1] == '/' || from[1] == 0);
        if (is_dot || is_empty) {
            from += is_dot ? 2 : 1;
        } else {
            *to++ = *from++;
        }
    }
    if (to == path) {
        *to++ = '/';
    }
    *to = 0;
}

}  // namespace

void path_of(int descriptor, char* path, size_t room) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    auto const length = system::readlink(link, path, room - 1);
    path[length > 0 ? length : 0] = 0;
    if (path[0] != '/') {
        report_if_queue(path);
        path[0] = 0;
    }
}

uint32_t file_at_any(KeptDirectory const* kept, int directory, char const* path) {
    constexpr size_t longest_directory = 4200;
    auto& whole = scratch().name;
    if (path[0] == '/') {
        whole[0] = 0;
    } else if (kept != nullptr) {
        memcpy(whole, kept->path, size_t{kept->length} + 1);
    } else {
        path_of_directory(directory, whole, longest_directory);
    }
    auto const used = strlen(whole);
    snprintf(whole + used, sizeof whole - used, path[0] == '/' ? "%.4100s" : "/%.4100s", path);
    normalise(whole);
    return file_number(whole);
}

void path_of_directory(int descriptor, char* path, size_t room) {
    if (descriptor == AT_FDCWD) {
        auto const length = system::call(SYS_getcwd, path, room);
        path[length > 0 ? length - 1 : 0] = 0;
    } else {
        path_of(descriptor, path, room);
    }
}

namespace {

uint32_t file_in(KeptDirectory const* kept, int directory, char const* path) {
    if (kept != nullptr && kept->recorded == KeptDirectory::Files::all) {
        PlainName const name(path, kept->hash);
        if (name.plain) {
            return file_number(*kept, path, name);
        }
    }
    return file_at_any(kept, directory, path);
}

}  // namespace

uint32_t file_at(int directory, char const* path) {
    if (path == nullptr || path[0] == 0) {
        return 0;
    }
    system::KeepErrno const keep;
    AtWork const at_work;
    auto const* const kept = path[0] == '/' ? nullptr : kept_directory(directory);
    if (kept != nullptr && kept->recorded == KeptDirectory::Files::none) {
        return 0;
    }
    scratch();
    auto* const own = this_thread.scratch;
    if (own == nullptr || (kept == nullptr && path[0] != '/')) {
        return file_in(kept, directory, path);  // no memory, or no directory that is known
    }
    auto const key = hash_quickly(path, kept == nullptr ? 0 : kept->hash);
    auto& place = own->paths.place_of(key);
    if (place.key != key || place.table != tables_of_names) {
        auto const number = file_in(kept, directory, path);
        place = {key, tables_of_names, number};
    }
    return place.number;
}

uint32_t file_asked_for(int directory, char const* path, int flags, int64_t result) {
    system::KeepErrno const keep;
    bool const has_descriptor = (flags & AT_EMPTY_PATH) != 0;
    if (path != nullptr && result < 0 && !system::is_readable(path)) {
        return 0;
    }
    if (!has_descriptor || (path != nullptr && path[0] != 0)) {
        return file_at(directory, path);
    }
    if (directory == AT_FDCWD) {
        return file_at(directory, ".");
    }
    auto const* const file = directory < 0 ? nullptr : file_of(directory);
    return file == nullptr ? 0 : file->name;
}

}  // namespace weir::trace
