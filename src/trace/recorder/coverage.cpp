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

/// From some amount on, a thread without a stream gets one.
void count_unrecorded_bytes(uint8_t direction, int64_t bytes) {
    constexpr int64_t worth_a_stream = 64 << 10;
    auto& thread = this_thread;
    if (bytes <= 0) {
        return;
    }
    if (thread.head != nullptr && direction < 2) {
        thread.head->unrecorded[direction] += static_cast<uint64_t>(bytes);
        return;
    }
    __atomic_fetch_add(&unrecorded[direction], bytes, __ATOMIC_RELAXED);
    thread.unrecorded[direction] += bytes;
    if (thread.unrecorded[direction] >= worth_a_stream && direction < 2) [[unlikely]] {
        keep_unrecorded_bytes();
    }
}

void take_over_unrecorded_bytes(Thread& thread) {
    for (uint8_t direction = 0; direction < 2; ++direction) {
        thread.head->unrecorded[direction] = static_cast<uint64_t>(thread.unrecorded[direction]);
        __atomic_fetch_sub(&unrecorded[direction], thread.unrecorded[direction], __ATOMIC_RELAXED);
        thread.unrecorded[direction] = 0;
    }
}

void retire_byte_counts(Thread& thread) {
    for (uint8_t direction = 0; direction < 2; ++direction) {
        auto const of_stream = thread.head == nullptr ? 0 : static_cast<int64_t>(thread.head->unrecorded[direction]);
        __atomic_fetch_add(&unrecorded[direction], thread.bytes[direction] + of_stream, __ATOMIC_RELAXED);
        thread.bytes[direction] = 0;
    }
}

ByteCounts bytes_seen() {
    ByteCounts sum{unrecorded[0] + system::own_bytes[0], unrecorded[1] + system::own_bytes[1]};
    add_bytes_of_threads(sum);
    if (this_thread.id == 0) {  // without a stream
        sum.read += this_thread.bytes[0];
        sum.written += this_thread.bytes[1];
    }
    if (shared_with_children != nullptr) {
        sum.read += shared_with_children->read;
        sum.written += shared_with_children->written;
    }
    return sum;
}

bool ask_kernel_byte_counts_of(uint32_t number_in_proc, ByteCounts& counts) {
    char path[40];
    char text[512];
    ssize_t length = 0;
    snprintf(path, sizeof path, "/proc/%u/io", number_in_proc);
    with_free_descriptor([&] { length = system::read_file(path, text, sizeof text - 1); });
    text[length > 0 ? length : 0] = 0;
    counts = {number_after(text, "rchar:"), number_after(text, "wchar:")};
    return counts.read >= 0 && counts.written >= 0;
}

bool ask_kernel_byte_counts(ByteCounts& counts) {
    auto const before = __atomic_load_n(&system::own_bytes[0], __ATOMIC_RELAXED);
    bool const known = ask_kernel_byte_counts_of(process.number_in_proc, counts);
    counts.read += __atomic_load_n(&system::own_bytes[0], __ATOMIC_RELAXED) - before;
    return known;
}

void share_byte_counts() {
    if (shared_with_children == nullptr) {
        shared_with_children = new_shared_counts();
    }
}

void begin_byte_counts_of_child() {
    memset(unrecorded, 0, sizeof unrecorded);
    memset(this_thread.bytes, 0, sizeof this_thread.bytes);
    memset(system::own_bytes, 0, sizeof system::own_bytes);
    shared_with_parent = shared_with_children;
    shared_with_children = nullptr;
}

void report_bytes_to_parent() {
    auto const seen = bytes_seen();
    if (shared_with_parent != nullptr) {
        __atomic_fetch_add(&shared_with_parent->read, seen.read, __ATOMIC_RELAXED);
        __atomic_fetch_add(&shared_with_parent->written, seen.written, __ATOMIC_RELAXED);
    }
}

}  // namespace weir::trace
