#include "trace/recorder/open_files.hpp"

#include <pthread.h>
#include <string.h>
#include <sys/stat.h>

#include "trace/recorder/file_paths.hpp"
#include "trace/recorder/kept_directories.hpp"
#include "trace/recorder/names.hpp"
#include "trace/recorder/process_facts.hpp"
#include "trace/recorder/recorder.hpp"

namespace weir::trace {

OpenDescription** descriptors = nullptr;  // untouched parts take no memory
OpenDescription not_recorded;

namespace {

pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
OpenDescription* pool = nullptr;  ///< of free entries, linked through their first bytes
int highest = -1;                 ///< of all descriptors in the table

/// A descriptor beyond the table is looked up again at each call.
thread_local __attribute__((tls_model("initial-exec"))) OpenDescription far_file;

/// Null beyond the table.
OpenDescription** entry(int descriptor) {
    if (descriptors == nullptr) {
        descriptors = static_cast<OpenDescription**>(system::map_memory(most_descriptors * sizeof(OpenDescription*)));
    }
    return descriptors == nullptr || descriptor < 0 || descriptor >= most_descriptors ? nullptr
                                                                                      : &descriptors[descriptor];
}

OpenDescription* take_from_pool() {
    if (pool == nullptr) {
        constexpr size_t bytes = 64 * 1024;
        auto* const block = static_cast<OpenDescription*>(system::map_memory(bytes));
        for (size_t i = 0; block != nullptr && i < bytes / sizeof(OpenDescription); ++i) {
            memcpy(static_cast<void*>(&block[i]), &pool, sizeof pool);
            pool = &block[i];
        }
        if (block == nullptr) {
            return &not_recorded;
        }
    }
    auto* const file = pool;
    memcpy(&pool, static_cast<void*>(file), sizeof pool);
    return file;
}

void give_back(OpenDescription* file) {
    if (file != &not_recorded && --file->descriptors == 0) {
        memcpy(static_cast<void*>(file), &pool, sizeof pool);
        pool = file;
    }
}

/// Is it a file whose name cannot be determined, since /proc is missing (as in a chroot)?
bool is_nameless_file(int descriptor) {
    struct statx facts {};
    return system::is_without_proc() &&
           system::call(SYS_statx, descriptor, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_TYPE, &facts) == 0 &&
           (S_ISREG(facts.stx_mode) || S_ISDIR(facts.stx_mode) || S_ISBLK(facts.stx_mode));
}

/// How many descriptors are open, which Linux tells since 6.2; otherwise no less than there can be.
uint64_t open_descriptors() {
    struct statx facts {};
    bool const told = system::call(SYS_statx, AT_FDCWD, "/proc/self/fd", 0, STATX_SIZE, &facts) == 0;
    return told && facts.stx_size > 0 ? facts.stx_size : most_descriptors;
}

/// Identifies a descriptor; false if it is not recorded. `opened_by`: the path by which it has just been opened, for
/// systems without /proc; null: none.
bool describe(int descriptor, OpenDescription& file, bool shared, char const* opened_by = nullptr) {
    auto& path = scratch().name;
    path_of(descriptor, path, sizeof path);
    auto name = path[0] == 0 ? 0 : file_number(path);
    if (path[0] == 0 && is_nameless_file(descriptor)) {
        name = opened_by == nullptr ? unnamed : file_at(AT_FDCWD, opened_by);
    }
    if (name == 0) {
        return false;
    }
    auto const flags = system::call(SYS_fcntl, descriptor, F_GETFL);
    file = {};
    file.name = name;
    file.descriptors = 1;
    file.appends = flags >= 0 && (flags & O_APPEND) != 0;
    file.shared = shared || file.appends;
    file.position = system::position(descriptor);  // -1 for a named pipe
    return true;
}

/// The directory of the file that was opened by this name, if the kernel's name for it is the directory's and this
/// name: that is one component that cannot be a link. Null if not.
KeptDirectory const* directory_of_name(int directory, char const* path, int flags) {
    constexpr int fresh = O_CREAT | O_EXCL;
    bool const no_link = (flags & O_NOFOLLOW) != 0 || (flags & fresh) == fresh;
    if (!no_link || (flags & O_TMPFILE) == O_TMPFILE || path == nullptr || path[0] == 0 || path[0] == '/') {
        return nullptr;
    }
    auto const* const kept = kept_directory(directory);
    return kept != nullptr && PlainName(path, 0).single ? kept : nullptr;
}

/// The same as describe(), for a file of such a directory, without asking the kernel for its name.
bool describe_in(KeptDirectory const& kept, int descriptor, OpenDescription& file, char const* path, int flags) {
    PlainName const name(path, kept.hash);
    bool const is_directory = (flags & O_DIRECTORY) != 0;
    auto const number = kept.recorded == KeptDirectory::Files::none  ? 0
                        : kept.recorded == KeptDirectory::Files::all ? file_number(kept, path, name)
                                                                     : file_at_any(&kept, kept.descriptor, path);
    if (is_directory) {
        keep_directory_in(kept, path, name.length, descriptor);
    }
    if (number == 0) {
        return false;
    }
    file = {};
    file.name = number;
    file.descriptors = 1;
    file.appends = (flags & O_APPEND) != 0;
    file.shared = file.appends;
    file.position = is_directory ? 0 : system::position(descriptor);
    return true;
}

/// Cache of names by which files were opened before: getting a descriptor's name from the kernel takes longer than
/// opening a file.
struct KnownName {
    uint64_t key;
    uint32_t name;
    uint32_t table;  ///< of names
};
constexpr uint64_t known_room = 4096;
KnownName known[known_room];

uint64_t mix(uint64_t hash, uint64_t value) { return (hash ^ value) * 0x9E3779B97F4A7C15 + (hash >> 29); }

/// The same file under the same name in the same directory: an inode number is reused after a removal, but not with the
/// same birth time.
uint64_t key_of(struct statx const& facts, char const* path) {
    // The counter of changes is mixed separately first: otherwise it and the inode number, both small, would cancel
    // out.
    auto key = mix(mix(0, directory_changes()), facts.stx_ino);
    key = mix(key, uint64_t{facts.stx_dev_major} << 32 | facts.stx_dev_minor);
    key = mix(key, static_cast<uint64_t>(facts.stx_btime.tv_sec) << 30 ^ facts.stx_btime.tv_nsec);
    key = hash_quickly(path, key);
    return key == 0 ? 1 : key;
}

/// The same as describe(), for a file that has just been opened by this name with these flags.
bool describe_opened(int descriptor, OpenDescription& file, int directory, char const* path, int flags) {
    if (auto const* const kept = directory_of_name(directory, path, flags); kept != nullptr) {
        return describe_in(*kept, descriptor, file, path, flags);
    }
    struct statx facts {};
    bool const by_name = path != nullptr && path[0] != 0 && (path[0] == '/' || directory == AT_FDCWD);
    if (!by_name || (flags & O_DIRECTORY) != 0 ||
        system::call(SYS_statx, descriptor, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC,
                     STATX_TYPE | STATX_INO | STATX_BTIME, &facts) != 0) {
        bool const wanted = describe(descriptor, file, false, by_name ? path : nullptr);
        if ((flags & O_TMPFILE) == O_DIRECTORY) {
            keep_directory(descriptor, scratch().name);
        }
        return wanted;
    }
    auto const key = key_of(facts, path);
    auto& place = known[key % known_room];
    if (place.key != key || place.table != tables_of_names) {
        bool const wanted = describe(descriptor, file, false, path);
        place = {key, wanted ? file.name : 0, tables_of_names};
        return wanted;
    }
    file = {};
    file.name = place.name;
    file.descriptors = 1;
    file.appends = (flags & O_APPEND) != 0;
    file.shared = file.appends;
    file.position = S_ISREG(facts.stx_mode) || S_ISDIR(facts.stx_mode) || S_ISBLK(facts.stx_mode) ? 0 : -1;
    return file.name != 0;
}

/// Adds a descriptor under lock, with its known properties.
OpenDescription* enter(int descriptor, OpenDescription** place, OpenDescription const* found) {
    auto* file = &not_recorded;
    if (found != nullptr) {
        file = take_from_pool();
        if (file != &not_recorded) {
            *file = *found;
        }
    }
    highest = descriptor > highest ? descriptor : highest;
    __atomic_store_n(place, file, __ATOMIC_RELEASE);
    return file;
}

OpenDescription* recorded(OpenDescription* file) { return file == &not_recorded ? nullptr : file; }

OpenDescription* look_up_far(int descriptor) {
    return descriptor >= most_descriptors && describe(descriptor, far_file, true) ? &far_file : nullptr;
}

}  // namespace

OpenDescription* look_up(int descriptor) {
    system::KeepErrno const keep;
    AtWork const at_work;
    auto** const place = entry(descriptor);
    if (place == nullptr) {
        return look_up_far(descriptor);
    }
    system::Lock const guard(table_lock);
    auto* file = *place;
    if (file == nullptr && system::call(SYS_fcntl, descriptor, F_GETFD) >= 0) {
        OpenDescription found;
        file = enter(descriptor, place, describe(descriptor, found, true) ? &found : nullptr);
    }
    return file == nullptr ? nullptr : recorded(file);
}

OpenDescription* opened(int descriptor, int directory, char const* path, int flags) {
    system::KeepErrno const keep;
    AtWork const at_work;
    auto** const place = entry(descriptor);
    if (place == nullptr) {
        return look_up_far(descriptor);
    }
    system::Lock const guard(table_lock);
    if (*place != nullptr) {
        give_back(*place);  // closed by a system call that bypassed the recorder
    }
    descriptor_changed(descriptor);
    OpenDescription found;
    bool const wanted = describe_opened(descriptor, found, directory, path, flags);
    auto* const file = enter(descriptor, place, wanted ? &found : nullptr);
    return recorded(file);
}

void flags_changed(int descriptor, int flags) {
    auto* const file = file_of(descriptor);
    if (file != nullptr) {
        file->appends = (flags & O_APPEND) != 0;
        file->shared = file->shared || file->appends;
    }
}

void duplicated(int from, int to) {
    AtWork const at_work;
    auto** const source = entry(from);
    auto** const place = entry(to);
    if (place == nullptr || from == to) {
        return;
    }
    descriptor_changed(to);
    keep_duplicate(from, to);
    system::Lock const guard(table_lock);
    auto* const file = source == nullptr ? nullptr : *source;  // null: looked up at first use
    if (file != nullptr && file != &not_recorded) {
        ++file->descriptors;
    }
    if (*place != nullptr) {
        give_back(*place);
    }
    __atomic_store_n(place, file, __ATOMIC_RELEASE);
    highest = to > highest ? to : highest;
}

void closed(int descriptor) {
    descriptor_changed(descriptor);
    auto** const place = entry(descriptor);
    if (place == nullptr || *place == nullptr) {
        return;
    }
    AtWork const at_work;
    system::Lock const guard(table_lock);
    if (*place != nullptr) {
        give_back(*place);
        *place = nullptr;
    }
}

void closed_range(unsigned first, unsigned last) {
    names_changed();  // also of descriptors that are not in the table
    for (auto i = static_cast<int64_t>(first); i <= highest && i <= last; ++i) {
        closed(static_cast<int>(i));
    }
}

int highest_descriptor() { return __atomic_load_n(&highest, __ATOMIC_RELAXED); }

void look_for_open_queues() {
    constexpr int most = 64;
    char link[64];
    auto left = open_descriptors();
    for (int descriptor = 0; descriptor < most && left > 0; ++descriptor) {
        bool const is_open = system::call(SYS_fcntl, descriptor, F_GETFD) >= 0;
        bool const known = descriptors != nullptr && descriptors[descriptor] != nullptr;
        if (is_open && !known && descriptor >= 3) {
            path_of(descriptor, link, sizeof link);
        }
        left -= is_open ? 1 : 0;
    }
}

/// Another thread of the parent may have been changing the table at the fork: its memory is abandoned.
void forget_all_files() {
    pthread_mutex_init(&table_lock, nullptr);
    descriptors = nullptr;
    pool = nullptr;
    highest = -1;
    names_changed();
}

void share_all_positions() {
    AtWork const at_work;
    system::Lock const guard(table_lock);
    for (int i = 0; i <= highest; ++i) {
        if (descriptors[i] != nullptr && descriptors[i] != &not_recorded) {
            descriptors[i]->shared = true;
        }
    }
}

int64_t advance_position(OpenDescription& file, int descriptor, ssize_t result) {
    auto const bytes = result > 0 ? result : 0;
    if (!file.shared && file.position < 0) {
        return -1;
    }
    if (!file.shared) {
        return __atomic_fetch_add(&file.position, bytes, __ATOMIC_RELAXED);
    }
    system::KeepErrno const keep;
    auto const after = system::position(descriptor);
    return after < 0 ? -1 : after - bytes;
}

namespace {

/// Where a file ends now; -1 for anything else.
int64_t end_of(int descriptor) {
    system::KeepErrno const keep;
    struct statx facts {};
    bool const known = system::call(SYS_statx, descriptor, "", AT_EMPTY_PATH, STATX_TYPE | STATX_SIZE, &facts) == 0;
    return known && S_ISREG(facts.stx_mode) ? static_cast<int64_t>(facts.stx_size) : -1;
}

}  // namespace

int64_t place_of_append(int descriptor, ssize_t result, int64_t given) {
    auto const end = end_of(descriptor);
    return end < 0 ? given : end - (result > 0 ? result : 0);
}

int64_t place_of_started_append(OpenDescription& file, int descriptor, uint64_t bytes, int64_t given) {
    auto const end = end_of(descriptor);
    if (end < 0) {
        return given;
    }
    auto const before = __atomic_load_n(&file.started_end, __ATOMIC_RELAXED);
    auto const place = end > before ? end : before;
    __atomic_store_n(&file.started_end, place + static_cast<int64_t>(bytes), __ATOMIC_RELAXED);
    return place;
}

void set_position(OpenDescription& file, int64_t position) {
    __atomic_store_n(&file.position, position, __ATOMIC_RELAXED);
}

}  // namespace weir::trace
