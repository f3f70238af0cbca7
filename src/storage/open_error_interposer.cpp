#include "storage/write_error_interposer.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <mpi.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstring>
#include <utility>

namespace weir {
namespace {

char const* opening = nullptr;  ///< the path during MPI_File_open()
int why_not_open = 0;           ///< errno of the failed open

/// Spare descriptors, if a process runs out: for the file, for another that MPI opens with it, and one more.
std::array<int, 3> spares{-1, -1, -1};

void take_spares() {
    for (auto& spare : spares) {
        spare = spare >= 0 ? spare : ::open("/dev/null", O_RDWR | O_CLOEXEC);
    }
}

int give_spare() {
    auto const found = std::ranges::find_if(spares, [](int spare) { return spare >= 0; });
    return found == spares.end() ? -1 : std::exchange(*found, -1);
}

using OpenPath = int(char const*, int, ...);
using OpenTogether = int(MPI_Comm, char const*, int, MPI_Info, MPI_File*);

/// MPI makes files of its own beside the file, by names that begin with the file's: Open MPI one in which each rank
/// tries a lock (FILE.locktest.0), ROMIO one for shared pointers.
bool may_be_planted(char const* path, int flags) {
    return (flags & O_CREAT) != 0 || std::strncmp(path, opening, std::strlen(opening)) == 0;
}

int open_watched(OpenPath* own, char const* path, int flags, mode_t mode) {
    if (opening == nullptr) [[likely]] {
        return own(path, flags, mode);
    }
    auto const the_file = std::strcmp(path, opening) == 0;
    auto const how = flags | (may_be_planted(path, flags) ? O_NOFOLLOW : 0);
    auto const fd = own(path, how, mode);
    auto const used_up = fd < 0 && (errno == EMFILE || errno == ENFILE);
    if (fd >= 0 || (!the_file && !used_up) || !is_watching()) {
        return fd;
    }
    why_not_open = why_not_open != 0 ? why_not_open : errno;
    auto const spare = give_spare();
    if (used_up && spare >= 0) {
        ::close(spare);
        auto const again = own(path, how, mode);
        return again >= 0 || !the_file ? again : give_spare();
    }
    return spare;
}

mode_t mode_in(int flags, va_list rest) {
    return (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg(rest, mode_t) : mode_t{0};
}

/// Whether the function failed on any rank, and whether a system call did.
std::array<int, 2> on_any_rank(MPI_Comm comm, std::array<int, 2> here) {
    MPI_Allreduce(MPI_IN_PLACE, here.data(), static_cast<int>(here.size()), MPI_INT, MPI_MAX, comm);
    return here;
}

int open_file(OpenTogether* own, MPI_Comm comm, char const* path, int how, MPI_Info info, MPI_File* file) {
    opening = path;
    auto const status = own(comm, path, how, info, file);
    opening = nullptr;
    return status;
}

int open_together(OpenTogether* own, MPI_Comm comm, char const* path, int how, MPI_Info info, MPI_File* file) {
    why_not_open = 0;
    auto const status = open_file(own, comm, path, how, info, file);
    auto const [returned, refused] = on_any_rank(comm, {status != MPI_SUCCESS ? 1 : 0, why_not_open != 0 ? 1 : 0});
    if (returned == 0 && refused == 0) [[likely]] {
        return status;
    }
    // Closing is collective: possible only if all ranks have the file open.
    if (returned == 0) {
        MPI_File_close(file);
    }
    *file = MPI_FILE_NULL;
    take_spares();
    if (refused != 0) {
        note_for_watch(why_not_open != 0 ? why_not_open : failed_elsewhere);
    }
    // PnetCDF prints error classes that it does not know, such as MPI_ERR_IO.
    return status != MPI_SUCCESS ? status : MPI_ERR_BAD_FILE;
}

}  // namespace

void prepare_to_open_together() {
    take_spares();
    if (spares.back() < 0) {
        throw watched_error("cannot open '/dev/null'", errno);
    }
}

}  // namespace weir

// Both names of each: libraries are built with either. The names of parameters are reserved ones, and the C library
// declares them with an ellipsis. NOLINTBEGIN(readability-inconsistent-declaration-parameter-name,cert-dcl50-cpp)
extern "C" {

int open(char const* path, int flags, ...) {
    static auto* const own = reinterpret_cast<weir::OpenPath*>(dlsym(RTLD_NEXT, "open"));
    va_list rest;
    va_start(rest, flags);
    auto const mode = weir::mode_in(flags, rest);
    va_end(rest);
    return weir::open_watched(own, path, flags, mode);
}

int open64(char const* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    auto const mode = weir::mode_in(flags, rest);
    va_end(rest);
    return open(path, flags, mode);
}

int MPI_File_open(MPI_Comm comm, char const* path, int how, MPI_Info info, MPI_File* file) {
    static auto* const own = reinterpret_cast<weir::OpenTogether*>(dlsym(RTLD_NEXT, "MPI_File_open"));
    return weir::is_watching() ? weir::open_together(own, comm, path, how, info, file)
                               : weir::open_file(own, comm, path, how, info, file);
}
}
// NOLINTEND(readability-inconsistent-declaration-parameter-name,cert-dcl50-cpp)
