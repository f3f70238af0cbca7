#include "trace/recorder/settings.hpp"

#include <stdlib.h>
#include <string.h>

#include "trace/recorder/system.hpp"

namespace weir::trace {
namespace {

/// Paths without a program's data: the system's own, and internal files of MPI libraries.
constexpr char usual_exclude[] =
    "/proc/:/sys/:/dev/null:/dev/zero:/dev/pts/:/dev/tty:/dev/urandom:/dev/random:/dev/infiniband/:/dev/ipath:/memfd:"
    "/etc/:/usr/bin/:/usr/include/:/usr/lib/:/usr/lib64/:/usr/libexec/:/usr/share/:/usr/local/lib/:/lib/:/lib64/:"
    "/bin/:/sbin/:/run/:/var/lib/:/tmp/ompi.:/tmp/openmpi-sessions:/dev/shm/vader_segment.:/dev/shm/sm_segment.:"
    "/dev/shm/mpich_shar_tmp:/dev/shm/psm:/dev/shm/ucx_shm_";
constexpr int64_t usual_limit = int64_t{4} << 30;

void copy(char* to, size_t room, char const* from) {
    strncpy(to, from == nullptr ? "" : from, room - 1);
    to[room - 1] = 0;
}

/// Does the path begin with one of these?
bool begins_with_one_of(char const* path, char const* list) {
    while (*list != 0) {
        auto const length = strcspn(list, ":");
        if (length > 0 && strncmp(path, list, length) == 0) {
            return true;
        }
        list += length + (list[length] == ':' ? 1 : 0);
    }
    return false;
}

/// A number of bytes, with K, M, G or T (or KiB, ...) for powers of 1024; anything else means the default limit.
int64_t bytes_of(char const* text) {
    constexpr char units[] = "KMGT";
    char* rest = nullptr;
    auto const number = strtoll(text, &rest, 10);
    auto const* const unit = rest == text || *rest == 0 ? nullptr : strchr(units, *rest);
    bool const is_whole = unit == nullptr ? *rest == 0 : rest[1] == 0 || strcmp(rest + 1, "iB") == 0;
    auto const shift = unit == nullptr ? 0 : 10 * (unit - units + 1);
    if (rest == text || !is_whole || number < 0 || number > INT64_MAX >> shift) {
        return usual_limit;
    }
    return number << shift;
}

/// The program may change its directory.
void make_absolute(char* path, size_t room) {
    static char from_here[4096];  // called once, before there are threads
    auto const length = system::call(SYS_getcwd, from_here, sizeof from_here);
    if (path[0] == 0 || path[0] == '/' || length <= 0) {
        return;
    }
    auto const used = static_cast<size_t>(length) - 1;
    if (used + 1 + strlen(path) + 1 > room) {
        path[0] = 0;
        return;
    }
    memmove(path + used + 1, path, strlen(path) + 1);
    memcpy(path, from_here, used);
    path[used] = '/';
}

void drop_last_slashes(char* path) {
    for (auto length = strlen(path); length > 1 && path[length - 1] == '/'; --length) {
        path[length - 1] = 0;
    }
}

bool lies_in(char const* path, char const* directory) {
    auto const length = strlen(directory);
    return strncmp(path, directory, length) == 0 && (path[length] == '/' || path[length] == 0);
}

}  // namespace

void Settings::read() {
    copy(directory, sizeof directory, getenv("WEIR_TRACE"));
    make_absolute(directory, sizeof directory);
    drop_last_slashes(directory);
    auto const* const others = getenv("WEIR_TRACE_EXCLUDE");
    copy(exclude, sizeof exclude, others == nullptr ? usual_exclude : others);
    copy(only, sizeof only, getenv("WEIR_TRACE_ONLY"));
    auto const* const limit = getenv("WEIR_TRACE_LIMIT");
    process_limit = limit == nullptr ? usual_limit : bytes_of(limit);
}

bool Settings::wants(char const* path) const {
    if (path[0] != '/' || begins_with_one_of(path, exclude) || lies_in(path, directory)) {
        return false;
    }
    return only[0] == 0 || begins_with_one_of(path, only);
}

}  // namespace weir::trace
