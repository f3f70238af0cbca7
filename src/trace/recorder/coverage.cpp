#include "trace/recorder/coverage.hpp"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/recorder/own_files.hpp"
#include "trace/recorder/recorder.hpp"

namespace weir::trace {
namespace {

alignas(64) int64_t unrecorded[3];  ///< bytes of unrecorded files, and of threads that have ended
ByteCounts* shared_with_parent = nullptr;
ByteCounts* shared_with_children = nullptr;

ByteCounts* new_shared_counts() {
    return static_cast<ByteCounts*>(system::map(sizeof(ByteCounts), MAP_SHARED | MAP_ANONYMOUS, -1, 0));
}

/// The number after a word in a text of lines "word: number"; -1: none.
int64_t number_after(char const* text, char const* word) {
    auto const* const place = strstr(text, word);
    return place == nullptr ? -1 : strtoll(place + strlen(word), nullptr, 10);
}

}  // namespace

void count_unrecorded_bytes(uint8_t direction, int64_t bytes) {
    if (bytes > 0) {
        __atomic_fetch_add(&unrecorded[direction], bytes, __ATOMIC_RELAXED);
    }
}

void retire_byte_counts(Thread& thread) {
    for (uint8_t direction = 0; direction < 2; ++direction) {
        count_unrecorded_bytes(direction, thread.bytes[direction]);
        thread.bytes[direction] = 0;
    }
}

ByteCounts bytes_seen() {
    retire_byte_counts(this_thread);
    ByteCounts sum{unrecorded[0] + system::own_bytes[0], unrecorded[1] + system::own_bytes[1]};
    add_bytes_of_threads(sum);
    if (shared_with_children != nullptr) {
        sum.read += shared_with_children->read;
        sum.written += shared_with_children->written;
    }
    return sum;
}

bool ask_kernel_byte_counts(ByteCounts& counts) {
    char path[40];
    char text[512];
    ssize_t length = 0;
    snprintf(path, sizeof path, "/proc/%d/io", static_cast<int>(system::call(SYS_getpid)));
    with_free_descriptor([&] { length = system::read_file(path, text, sizeof text - 1); });
    text[length > 0 ? length : 0] = 0;
    counts = {number_after(text, "rchar:"), number_after(text, "wchar:")};
    return counts.read >= 0 && counts.written >= 0;
}

void begin_byte_counts() { shared_with_children = new_shared_counts(); }

void begin_byte_counts_of_child() {
    memset(unrecorded, 0, sizeof unrecorded);
    memset(this_thread.bytes, 0, sizeof this_thread.bytes);
    memset(system::own_bytes, 0, sizeof system::own_bytes);
    shared_with_parent = shared_with_children;
    shared_with_children = new_shared_counts();
}

void report_bytes_to_parent() {
    auto const seen = bytes_seen();
    if (shared_with_parent != nullptr) {
        __atomic_fetch_add(&shared_with_parent->read, seen.read, __ATOMIC_RELAXED);
        __atomic_fetch_add(&shared_with_parent->written, seen.written, __ATOMIC_RELAXED);
    }
}

}  // namespace weir::trace
