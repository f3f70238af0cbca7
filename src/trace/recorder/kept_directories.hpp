#pragma once

#include <stddef.h>
#include <stdint.h>

namespace weir::trace {

// Names of directories that calls by relative names refer to, kept by each thread: asking the kernel for one takes
// longer than the call itself. A name is asked for again after the directory's descriptor, the current directory or
// the name of any file was changed by this process.

/// The name of a directory.
struct KeptDirectory {
    static constexpr size_t longest = 1000;

    enum class Files : uint8_t { none, all, some };

    uint64_t validity;       ///< 0: nothing is kept here
    uint64_t hash;           ///< of the path
    int descriptor;          ///< or AT_FDCWD
    uint16_t length;         ///< of the path
    Files recorded;          ///< which of the files below are recorded; some: depends on the name
    char path[longest + 2];  ///< with a slash at its end
};

/// Of one thread.
struct KeptDirectories {
    static constexpr unsigned of_descriptors = 8;
    KeptDirectory all[of_descriptors + 1];  ///< the last: of the current one
};

/// The directory of a descriptor, or AT_FDCWD; null if its name is unknown, or too long. Only under AtWork.
KeptDirectory const* kept_directory(int descriptor);

/// Keeps the name of a descriptor that is a directory. Only under AtWork.
void keep_directory(int descriptor, char const* path);

/// The same if it lies in another one, under a plain name (see PlainName).
void keep_directory_in(KeptDirectory const& parent, char const* name, size_t length, int descriptor);

/// Of a descriptor that was duplicated: the other one is the same directory.
void keep_duplicate(int from, int to);

/// The descriptor means something else from here on.
void descriptor_changed(int descriptor);

/// Relative paths mean other files from here on.
void directory_changed();
uint64_t directory_changes();

/// Directories may have other names from here on.
void names_changed();

/// The C library changes the current directory itself between the begin and the end of a walk.
void begin_library_walk();
void end_library_walk();

/// A relative name that the kernel would not write in another way: without ".", "//" or "/" at its end. (Only the file
/// system can resolve ".." and links.)
struct PlainName {
    bool plain = false;
    bool single = false;  ///< one component, not ".."
    size_t length = 0;
    uint64_t hash = 0;  ///< continued from that of its directory

    PlainName(char const* name, uint64_t hash_before);
};

}  // namespace weir::trace
