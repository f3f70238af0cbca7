#include "trace/recorder/moved.hpp"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/recorder/apart.hpp"
#include "trace/recorder/recorder.hpp"
#include "trace/recorder/streams.hpp"

namespace weir::trace {
namespace {

/// In memory that a process shares with its children.
struct Family {
    int64_t moved[2];
};

alignas(64) int64_t passed[3];  ///< of what is not recorded, and of threads that have ended
Family* with_parent = nullptr;
Family* with_children = nullptr;

Family* new_family() { return static_cast<Family*>(system::map(sizeof(Family), MAP_SHARED | MAP_ANONYMOUS, -1, 0)); }

/// The number behind a word of a text of lines "word: number"; -1: there is none.
int64_t number_after(char const* text, char const* word) {
    auto const* const place = strstr(text, word);
    return place == nullptr ? -1 : strtoll(place + strlen(word), nullptr, 10);
}

}  // namespace

void move_unrecorded(uint8_t way, int64_t bytes) {
    if (bytes > 0) {
        __atomic_fetch_add(&passed[way], bytes, __ATOMIC_RELAXED);
    }
}

void keep_moved_of(Thread& thread) {
    for (uint8_t way = 0; way < 2; ++way) {
        move_unrecorded(way, thread.moved[way]);
        thread.moved[way] = 0;
    }
}

MovedBytes moved_so_far() {
    keep_moved_of(this_thread);
    MovedBytes sum{passed[0] + system::moved_by_recorder[0], passed[1] + system::moved_by_recorder[1]};
    add_moved_of_threads(sum);
    if (with_children != nullptr) {
        sum.read += with_children->moved[0];
        sum.written += with_children->moved[1];
    }
    return sum;
}

bool ask_kernel(MovedBytes& moved) {
    char path[40];
    char text[512];
    ssize_t length = 0;
    snprintf(path, sizeof path, "/proc/%d/io", static_cast<int>(system::call(SYS_getpid)));
    apart([&] { length = system::read_file(path, text, sizeof text - 1); });
    text[length > 0 ? length : 0] = 0;
    moved = {number_after(text, "rchar:"), number_after(text, "wchar:")};
    return moved.read >= 0 && moved.written >= 0;
}

void begin_moved() { with_children = new_family(); }

void begin_moved_of_child() {
    memset(passed, 0, sizeof passed);
    memset(this_thread.moved, 0, sizeof this_thread.moved);
    memset(system::moved_by_recorder, 0, sizeof system::moved_by_recorder);
    with_parent = with_children;
    with_children = new_family();
}

void tell_parent_moved() {
    auto const moved = moved_so_far();
    if (with_parent != nullptr) {
        __atomic_fetch_add(&with_parent->moved[0], moved.read, __ATOMIC_RELAXED);
        __atomic_fetch_add(&with_parent->moved[1], moved.written, __ATOMIC_RELAXED);
    }
}

}  // namespace weir::trace
