#include "trace/recorder/recorder.hpp"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "trace/recorder/files.hpp"
#include "trace/recorder/names.hpp"
#include "trace/recorder/process_facts.hpp"

namespace weir::trace {

thread_local __attribute__((tls_model("initial-exec"))) Thread this_thread;
Process process;
bool counter_is_steady = false;

namespace {

/// Whole pages and whole records: no record lies across two windows.
constexpr int64_t pages_and_records = 12288;
constexpr int64_t first_window = 5 * pages_and_records;  ///< programs of a few calls take no more
constexpr int64_t usual_window = 85 * pages_and_records;
constexpr int64_t head_bytes = 4096;
static_assert(pages_and_records % sizeof(Record) == 0 && pages_and_records % 4096 == 0);

pthread_mutex_t lock =
    PTHREAD_MUTEX_INITIALIZER;  ///< of what threads share: their list, and the process's sum of bytes
Thread* newest_thread = nullptr;
uint32_t threads = 0;
pthread_key_t at_thread_end;

void compare_clocks(StreamHead& head) {
    head.end_ticks = ticks();
    head.end_monotonic_ns = nanoseconds(CLOCK_MONOTONIC);
}

/// The stream's file and its head, which stays in memory for as long as the thread lives.
bool begin_stream(Thread& thread) {
    pthread_mutex_lock(&lock);
    thread.id = ++threads;
    thread.earlier = newest_thread;
    newest_thread = &thread;
    pthread_mutex_unlock(&lock);
    pthread_setspecific(at_thread_end, &thread);
    char path[4500];
    snprintf(path, sizeof path, "%s.%u.records", process.prefix, thread.id);
    thread.descriptor = system::open(path, O_RDWR | O_CREAT | O_TRUNC);
    if (thread.descriptor < 0 || !system::reserve(thread.descriptor, 0, head_bytes)) {
        return false;
    }
    thread.head = static_cast<StreamHead*>(system::map_file(thread.descriptor, 0, head_bytes));
    if (thread.head == nullptr) {
        return false;
    }
    auto& head = *thread.head;
    head.head_bytes = head_bytes;
    head.record_bytes = sizeof(Record);
    head.process = process.id;
    head.thread = thread.id;
    head.start_real_ns = nanoseconds(CLOCK_REALTIME);
    head.start_ticks = ticks();
    head.start_monotonic_ns = nanoseconds(CLOCK_MONOTONIC);
    compare_clocks(head);
    memcpy(head.magic, magic, sizeof magic);
    thread.file_bytes = head_bytes;
    return true;
}

/// Is there room for another window within what the process may write?
bool within_limit(int64_t bytes) {
    pthread_mutex_lock(&lock);
    bool const within = process.record_bytes + bytes <= process.settings.process_limit;
    process.record_bytes += within ? bytes : 0;
    pthread_mutex_unlock(&lock);
    return within;
}

bool next_window(Thread& thread) {
    auto const bytes = thread.window == nullptr ? first_window : usual_window;
    if (!within_limit(bytes) || !system::reserve(thread.descriptor, thread.file_bytes, bytes)) {
        return false;
    }
    auto* const window = static_cast<Record*>(system::map_file(thread.descriptor, thread.file_bytes, bytes));
    if (window == nullptr) {
        return false;
    }
    if (thread.window != nullptr) {
        munmap(thread.window, thread.window_bytes);
    }
    thread.window = window;
    thread.window_bytes = bytes;
    thread.file_bytes += bytes;
    thread.next = window;
    thread.end = window + bytes / sizeof(Record);
    compare_clocks(*thread.head);
    return true;
}

/// Cuts off what the stream has not filled.
void end_stream(Thread& thread) {
    if (thread.head == nullptr) {
        return;
    }
    compare_clocks(*thread.head);
    auto const unused = reinterpret_cast<char*>(thread.end) - reinterpret_cast<char*>(thread.next);
    if (thread.window != nullptr) {
        munmap(thread.window, thread.window_bytes);
    }
    munmap(thread.head, head_bytes);
    system::truncate(thread.descriptor, thread.file_bytes - unused);
    system::close(thread.descriptor);
    thread.head = nullptr;
    thread.window = nullptr;
    thread.next = nullptr;
    thread.end = nullptr;
    thread.ended = true;
}

void thread_ends(void* thread) { end_stream(*static_cast<Thread*>(thread)); }

/// The child of a fork has one thread, and records into files of its own from here on.
void child_begins() {
    Inside const inside;
    this_thread.descriptor = -1;  // the parent's; both may append to it no more than one
    this_thread.head = nullptr;
    this_thread.window = nullptr;
    this_thread.next = nullptr;
    this_thread.end = nullptr;
    this_thread.ended = false;
    newest_thread = nullptr;
    threads = 0;
    process.record_bytes = 0;
    pthread_mutex_init(&lock, nullptr);
    begin_facts("fork");
    begin_names(process.prefix);
    forget_all_files();
}

void parent_goes_on() { share_all_positions(); }

}  // namespace

void begin_process() {
    if (process.begun) {
        return;
    }
    process.begun = true;
    system::KeepErrno const keep;
    Inside const inside;
    process.settings.read();
    if (process.settings.directory[0] == 0) {
        return;
    }
    counter_is_steady = has_steady_counter();
    pthread_key_create(&at_thread_end, thread_ends);
    if (!begin_facts("start")) {
        return;
    }
    begin_names(process.prefix);
    pthread_atfork(nullptr, parent_goes_on, child_begins);
    process.recording = true;
}

Record* more_room(Call const& call, int64_t result, uint64_t ticks_taken) {
    system::KeepErrno const keep;
    Inside const inside;
    auto& thread = this_thread;
    bool const begun = thread.descriptor >= 0 || thread.ended;
    if (!thread.ended && (begun || begin_stream(thread)) && next_window(thread)) {
        return thread.next;
    }
    thread.ended = true;
    if (thread.head != nullptr) {
        ++thread.head->lost;
    }
    count_lost(call, result, ticks_taken);
    return nullptr;
}

namespace {

__attribute__((constructor)) void library_begins() { begin_process(); }

__attribute__((destructor)) void library_ends() {
    if (!process.recording) {
        return;
    }
    system::KeepErrno const keep;
    Inside const inside;
    // Other threads may still be at work: their streams are left as they are, valid up to their last record.
    for (auto* thread = newest_thread; thread != nullptr; thread = thread->earlier) {
        if (thread->head != nullptr) {
            compare_clocks(*thread->head);
        }
    }
    end_facts();
}

}  // namespace
}  // namespace weir::trace
