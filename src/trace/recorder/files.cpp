#include "trace/recorder/files.hpp"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "trace/recorder/names.hpp"
#include "trace/recorder/recorder.hpp"

namespace weir::trace {

OpenFile** descriptors = nullptr;  // untouched parts take no memory
OpenFile not_recorded;

namespace {

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
OpenFile* pool = nullptr;  ///< of files that are free, linked by their first bytes
int highest = -1;          ///< descriptor that was entered

/// A descriptor above the table is looked up for each call anew.
thread_local __attribute__((tls_model("initial-exec"))) OpenFile far_file;

/// Null above the table.
OpenFile** entry(int descriptor) {
    if (descriptors == nullptr) {
        descriptors = static_cast<OpenFile**>(system::map_memory(most_descriptors * sizeof(OpenFile*)));
    }
    return descriptors == nullptr || descriptor < 0 || descriptor >= most_descriptors ? nullptr
                                                                                      : &descriptors[descriptor];
}

OpenFile* take_from_pool() {
    if (pool == nullptr) {
        constexpr size_t bytes = 64 * 1024;
        auto* const block = static_cast<OpenFile*>(system::map_memory(bytes));
        for (size_t i = 0; block != nullptr && i < bytes / sizeof(OpenFile); ++i) {
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

void give_back(OpenFile* file) {
    if (file != &not_recorded && --file->descriptors == 0) {
        memcpy(static_cast<void*>(file), &pool, sizeof pool);
        pool = file;
    }
}

/// The path behind a descriptor, as the system knows it; empty where it is no file of any file system.
void path_of(int descriptor, char* path, size_t room) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    auto const length = system::readlink(link, path, room - 1);
    path[length > 0 && path[0] == '/' ? length : 0] = 0;
}

/// Takes down what a descriptor is; false where it is not to be recorded.
bool describe(int descriptor, OpenFile& file, bool shared) {
    char path[4200];
    path_of(descriptor, path, sizeof path);
    auto const name = path[0] == 0 ? 0 : file_number(path);
    if (name == 0) {
        return false;
    }
    auto const flags = syscall(SYS_fcntl, descriptor, F_GETFL);
    file = {};
    file.name = name;
    file.descriptors = 1;
    file.appends = flags >= 0 && (flags & O_APPEND) != 0;
    file.shared = shared || file.appends;
    file.position = system::position(descriptor);  // -1 of a pipe that has a name
    return true;
}

/// Enters a descriptor under lock.
OpenFile* enter(int descriptor, OpenFile** place, bool shared) {
    OpenFile found;
    auto* file = &not_recorded;
    if (describe(descriptor, found, shared)) {
        file = take_from_pool();
        if (file != &not_recorded) {
            *file = found;
        }
    }
    highest = descriptor > highest ? descriptor : highest;
    __atomic_store_n(place, file, __ATOMIC_RELEASE);
    return file;
}

OpenFile* recorded(OpenFile* file) { return file == &not_recorded ? nullptr : file; }

OpenFile* far(int descriptor) {
    return descriptor >= most_descriptors && describe(descriptor, far_file, true) ? &far_file : nullptr;
}

}  // namespace

OpenFile* look_up(int descriptor) {
    system::KeepErrno const keep;
    Inside const inside;
    auto** const place = entry(descriptor);
    if (place == nullptr) {
        return far(descriptor);
    }
    pthread_mutex_lock(&lock);
    auto* file = *place;
    if (file == nullptr && syscall(SYS_fcntl, descriptor, F_GETFD) >= 0) {
        file = enter(descriptor, place, true);
    }
    pthread_mutex_unlock(&lock);
    return file == nullptr ? nullptr : recorded(file);
}

OpenFile* opened(int descriptor) {
    system::KeepErrno const keep;
    Inside const inside;
    auto** const place = entry(descriptor);
    if (place == nullptr) {
        return far(descriptor);
    }
    pthread_mutex_lock(&lock);
    if (*place != nullptr) {
        give_back(*place);  // closed past the recorder, by a system call
    }
    auto* const file = enter(descriptor, place, false);
    pthread_mutex_unlock(&lock);
    return recorded(file);
}

void duplicated(int from, int to) {
    auto* const file = file_of(from);
    Inside const inside;
    auto** const place = entry(to);
    if (place == nullptr || from == to) {
        return;
    }
    pthread_mutex_lock(&lock);
    if (*place != nullptr) {
        give_back(*place);
    }
    auto* const known = file == &far_file ? nullptr : file;  // null: looked up when it is used
    *place = file == nullptr ? &not_recorded : known;
    if (known != nullptr) {
        ++known->descriptors;
    }
    highest = to > highest ? to : highest;
    pthread_mutex_unlock(&lock);
}

void closed(int descriptor) {
    auto** const place = entry(descriptor);
    if (place == nullptr || *place == nullptr) {
        return;
    }
    Inside const inside;
    pthread_mutex_lock(&lock);
    if (*place != nullptr) {
        give_back(*place);
        *place = nullptr;
    }
    pthread_mutex_unlock(&lock);
}

void closed_range(unsigned first, unsigned last) {
    for (auto i = static_cast<int64_t>(first); i <= highest && i <= last; ++i) {
        closed(static_cast<int>(i));
    }
}

uint32_t file_at(int directory, char const* path) {
    if (path == nullptr || path[0] == 0) {
        return 0;
    }
    system::KeepErrno const keep;
    Inside const inside;
    char whole[8400];
    if (path[0] == '/') {
        whole[0] = 0;
    } else if (directory == AT_FDCWD) {
        auto const length = syscall(SYS_getcwd, whole, 4096);
        whole[length > 0 ? length - 1 : 0] = 0;
    } else {
        path_of(directory, whole, 4200);
    }
    auto const used = strlen(whole);
    while (path[0] == '.' && path[1] == '/') {
        path += 2;
    }
    snprintf(whole + used, sizeof whole - used, path[0] == '/' ? "%s" : "/%s", path);
    for (auto end = strlen(whole); end > 1 && whole[end - 1] == '/'; --end) {
        whole[end - 1] = 0;
    }
    return file_number(whole);
}

/// What the parent had may have been caught half changed, if another of its threads was at it: it is left alone.
void forget_all_files() {
    pthread_mutex_init(&lock, nullptr);
    descriptors = nullptr;
    pool = nullptr;
    highest = -1;
}

void share_all_positions() {
    Inside const inside;
    pthread_mutex_lock(&lock);
    for (int i = 0; i <= highest; ++i) {
        if (descriptors[i] != nullptr && descriptors[i] != &not_recorded) {
            descriptors[i]->shared = true;
        }
    }
    pthread_mutex_unlock(&lock);
}

int64_t moved(OpenFile& file, int descriptor, ssize_t result) {
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

void positioned(OpenFile& file, int64_t position) { __atomic_store_n(&file.position, position, __ATOMIC_RELAXED); }

}  // namespace weir::trace
