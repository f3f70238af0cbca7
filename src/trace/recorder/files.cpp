#include "trace/recorder/files.hpp"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "trace/recorder/names.hpp"
#include "trace/recorder/recorder.hpp"

namespace weir::trace {
namespace {

constexpr int most_descriptors = 1 << 20;

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
OpenFile** table = nullptr;  ///< by descriptor; untouched parts take no memory
OpenFile* pool = nullptr;    ///< of files that are free, linked by their first bytes
OpenFile ignored;            ///< stands for all that is not recorded

OpenFile** entry(int descriptor) {
    if (table == nullptr) {
        table = static_cast<OpenFile**>(system::map_memory(most_descriptors * sizeof(OpenFile*)));
    }
    return table == nullptr || descriptor < 0 || descriptor >= most_descriptors ? nullptr : &table[descriptor];
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
            return &ignored;
        }
    }
    auto* const file = pool;
    memcpy(&pool, static_cast<void*>(file), sizeof pool);
    *file = {};
    return file;
}

void give_back(OpenFile* file) {
    if (file != &ignored && --file->descriptors == 0) {
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

/// Enters a descriptor under lock.
OpenFile* look_up(int descriptor, OpenFile** place, bool shared) {
    char path[4200];
    path_of(descriptor, path, sizeof path);
    auto const name = path[0] == 0 ? 0 : file_number(path);
    auto* file = &ignored;
    if (name != 0) {
        file = take_from_pool();
        auto const flags = syscall(SYS_fcntl, descriptor, F_GETFL);
        file->name = name;
        file->descriptors = 1;
        file->appends = flags >= 0 && (flags & O_APPEND) != 0;
        file->shared = shared || file->appends;
    }
    __atomic_store_n(place, file, __ATOMIC_RELEASE);
    return file;
}

OpenFile* recorded(OpenFile* file) { return file == &ignored ? nullptr : file; }

}  // namespace

OpenFile* file_of(int descriptor) {
    auto** const place = entry(descriptor);
    if (place == nullptr) {
        return nullptr;
    }
    auto* file = __atomic_load_n(place, __ATOMIC_ACQUIRE);
    if (file == nullptr) [[unlikely]] {
        system::KeepErrno const keep;
        Inside const inside;
        pthread_mutex_lock(&lock);
        file = *place != nullptr ? *place : look_up(descriptor, place, true);
        pthread_mutex_unlock(&lock);
    }
    return recorded(file);
}

OpenFile* opened(int descriptor) {
    auto** const place = entry(descriptor);
    if (place == nullptr) {
        return nullptr;
    }
    system::KeepErrno const keep;
    Inside const inside;
    pthread_mutex_lock(&lock);
    if (*place != nullptr) {
        give_back(*place);  // closed past the recorder, by a system call
    }
    auto* const file = look_up(descriptor, place, false);
    pthread_mutex_unlock(&lock);
    return recorded(file);
}

void duplicated(int from, int to) {
    auto* const file = file_of(from);
    auto** const place = entry(to);
    if (place == nullptr || from == to) {
        return;
    }
    pthread_mutex_lock(&lock);
    if (*place != nullptr) {
        give_back(*place);
    }
    *place = file == nullptr ? &ignored : file;
    if (file != nullptr) {
        ++file->descriptors;
    }
    pthread_mutex_unlock(&lock);
}

void closed(int descriptor) {
    auto** const place = entry(descriptor);
    if (place == nullptr || *place == nullptr) {
        return;
    }
    pthread_mutex_lock(&lock);
    if (*place != nullptr) {
        give_back(*place);
        *place = nullptr;
    }
    pthread_mutex_unlock(&lock);
}

uint32_t file_at(int directory, char const* path) {
    if (path == nullptr || path[0] == 0) {
        return 0;
    }
    system::KeepErrno const keep;
    Inside const inside;
    if (path[0] == '/') {
        return file_number(path);
    }
    char whole[8400];
    if (directory == AT_FDCWD) {
        auto const length = syscall(SYS_getcwd, whole, 4096);
        whole[length > 0 ? length - 1 : 0] = 0;
    } else {
        path_of(directory, whole, 4200);
    }
    auto const used = strlen(whole);
    while (path[0] == '.' && path[1] == '/') {
        path += 2;
    }
    snprintf(whole + used, sizeof whole - used, "/%s", path);
    return file_number(whole);
}

namespace {

/// Descriptors are given out from the lowest on: a long row of unused ones is the end of them.
template <class Visit>
void each_entry(Visit visit) {
    constexpr int unused_at_end = 4096;
    for (int i = 0, unused = 0; table != nullptr && i < most_descriptors && unused < unused_at_end; ++i) {
        unused = table[i] == nullptr ? unused + 1 : 0;
        visit(table[i]);
    }
}

}  // namespace

void forget_all_files() {
    pthread_mutex_init(&lock, nullptr);
    each_entry([](OpenFile*& file) { file = nullptr; });
}

void share_all_positions() {
    each_entry([](OpenFile* file) {
        if (file != nullptr && file != &ignored) {
            file->shared = true;
        }
    });
}

int64_t moved(OpenFile& file, int descriptor, ssize_t result) {
    auto const bytes = result > 0 ? result : 0;
    if (!file.shared) {
        return __atomic_fetch_add(&file.position, bytes, __ATOMIC_RELAXED);
    }
    system::KeepErrno const keep;
    auto const after = system::position(descriptor);
    return after < 0 ? -1 : after - bytes;
}

void positioned(OpenFile& file, int64_t position) { __atomic_store_n(&file.position, position, __ATOMIC_RELAXED); }

}  // namespace weir::trace
