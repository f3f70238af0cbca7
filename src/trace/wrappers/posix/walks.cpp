// Walks through directories inside the C library. They are not recorded, but some change the current directory, past
// all wrappers.

#include <fts.h>
#include <ftw.h>

#include "trace/recorder/calls.hpp"
#include "trace/recorder/kept_directories.hpp"

using namespace weir::trace;

namespace {

/// During its lifetime, the current directory may change at any time.
class LibraryWalk {
  public:
    LibraryWalk() { begin_library_walk(); }
    ~LibraryWalk() { end_library_walk(); }
    LibraryWalk(LibraryWalk const&) = delete;
    LibraryWalk& operator=(LibraryWalk const&) = delete;
};

}  // namespace

#define WEIR_WALK(result, name, parameters, arguments)             \
    WEIR_NEXT(name)                                                \
    WEIR_EXPORT result name parameters {                           \
        LibraryWalk const walk;                                    \
        return next_##name.next<result(*) parameters>() arguments; \
    }

// The forms with 64 bits have other types, of the same size.
using Visit = int (*)(char const*, struct stat const*, int, FTW*);
WEIR_WALK(int, nftw, (char const* path, Visit visit, int descriptors, int flags), (path, visit, descriptors, flags))
WEIR_ALIAS(int, nftw64, (char const*, int (*)(char const*, struct stat64 const*, int, FTW*), int, int), nftw)
WEIR_WALK(FTSENT*, fts_read, (FTS * walk_of), (walk_of))
WEIR_WALK(FTSENT*, fts_children, (FTS * walk_of, int options), (walk_of, options))
WEIR_WALK(int, fts_close, (FTS * walk_of), (walk_of))
WEIR_ALIAS(FTSENT64*, fts64_read, (FTS64*), fts_read)
WEIR_ALIAS(FTSENT64*, fts64_children, (FTS64*, int), fts_children)
WEIR_ALIAS(int, fts64_close, (FTS64*), fts_close)
