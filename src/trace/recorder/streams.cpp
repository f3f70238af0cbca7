#include "trace/recorder/streams.hpp"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "trace/recorder/process_facts.hpp"
#include "trace/recorder/recorder.hpp"

namespace weir::trace {
namespace {

constexpr int64_t head_bytes = 4096;
constexpr int64_t first_window = 60 << 10;  ///< programs of a few calls take no more
constexpr int64_t largest_window = 1 << 20;
constexpr int64_t smallest_window = 16 << 10;
constexpr int64_t windows_together = 16 << 20;  ///< bound on the memory of a process with many threads

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;  ///< of the list of threads
Thread* newest_thread = nullptr;
uint32_t threads = 0;
uint32_t threads_alive = 0;
pthread_key_t at_thread_end;

void compare_clocks(StreamHead& head) {
    head.end_ticks = ticks();
    head.end_monotonic_ns = nanoseconds(CLOCK_MONOTONIC);
}

struct Path {
    explicit Path(Thread const& thread) { snprintf(text, sizeof text, "%s.%u.records", process.prefix, thread.id); }
    char text[4500];
};

void enter_in_list(Thread& thread) {
    pthread_mutex_lock(&lock);
    thread.id = ++threads;
    thread.earlier = newest_thread;
    newest_thread = &thread;
    ++threads_alive;
    pthread_mutex_unlock(&lock);
    pthread_setspecific(at_thread_end, &thread);
}

void remove_from_list(Thread& thread) {
    pthread_mutex_lock(&lock);
    for (auto** link = &newest_thread; *link != nullptr; link = &(*link)->earlier) {
        if (*link == &thread) {
            *link = thread.earlier;
            --threads_alive;
            break;
        }
    }
    pthread_mutex_unlock(&lock);
}

/// The stream's file and its head, which stays in memory for as long as the thread lives.
bool begin_stream(Thread& thread) {
    make_files();
    if (thread.id == 0) {
        enter_in_list(thread);
    }
    Path const path(thread);
    auto* const place = thread.file.move(path.text, 0, head_bytes);
    if (place == nullptr) {
        return false;
    }
    thread.head = reinterpret_cast<StreamHead*>(place);
    thread.file.window = nullptr;  // the head's own, from here on
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

/// Bytes of the next window, within what the process may write; 0: the bound is reached.
int64_t take_of_limit(Thread const& thread) {
    constexpr int64_t page = 4096;
    auto const share = windows_together / (threads_alive + 1) / page * page;
    auto const usual = share > largest_window ? largest_window : share < smallest_window ? smallest_window : share;
    auto const wanted = thread.file_bytes == head_bytes && first_window < usual ? first_window : usual;
    auto const before = __atomic_fetch_add(&process.record_bytes, wanted, __ATOMIC_RELAXED);
    auto const left = process.settings.process_limit - before;
    if (left >= wanted) {
        return wanted;
    }
    auto const rest = left < page ? 0 : left / page * page;
    __atomic_fetch_sub(&process.record_bytes, wanted - rest, __ATOMIC_RELAXED);
    return rest;
}

/// Where the next record stands in the stream.
int64_t position(Thread const& thread) {
    return thread.file.window == nullptr
               ? thread.file_bytes
               : thread.file.window_from + (reinterpret_cast<char*>(thread.next) - thread.file.window);
}

bool next_window(Thread& thread) {
    thread.file_bytes = position(thread);
    auto const bytes = take_of_limit(thread);
    if (bytes == 0) {
        errno = EFBIG;
        return false;
    }
    // From the page of the next record on: it may begin before the new part of the file.
    auto const start = thread.file_bytes;
    auto const fresh = thread.file.reserved - start;
    auto* const place = thread.file.move(Path(thread).text, start, bytes + (fresh > 0 ? fresh : 0));
    if (place == nullptr) {
        return false;
    }
    thread.next = reinterpret_cast<Record*>(place);
    thread.end = thread.next + (thread.file.window + thread.file.window_bytes - place) / sizeof(Record);
    compare_clocks(*thread.head);
    return true;
}

/// Cuts off what the stream has not filled.
void cut(Thread& thread) {
    if (thread.head == nullptr) {
        return;
    }
    compare_clocks(*thread.head);
    thread.file_bytes = position(thread);
    thread.file.cut(Path(thread).text, thread.file_bytes);
    thread.next = nullptr;
    thread.end = nullptr;
}

/// Called in rounds, as long as it asks for more: what other libraries do at the thread's end is recorded too.
void thread_ends(void* which) {
    constexpr int rounds = 3;
    auto& thread = *static_cast<Thread*>(which);
    Inside const inside;
    if (++thread.ends < rounds) {
        pthread_setspecific(at_thread_end, which);
        return;
    }
    cut(thread);
    remove_from_list(thread);
    if (thread.head != nullptr) {
        system::unmap(thread.head, head_bytes);
        thread.head = nullptr;
    }
    thread.ended = true;
}

/// Will it be refused for as long as the process lives?
bool is_final(int error) { return error != EMFILE && error != ENFILE && error != ENOMEM && error != EAGAIN; }

void count(Thread& thread, Call const& call, int64_t result, uint64_t ticks_taken) {
    if (thread.head != nullptr) {
        ++thread.head->lost;
    }
    count_lost(call, result, ticks_taken);
}

void refused(Thread& thread, int error) {
    constexpr uint32_t calls_before_next_trial = 256;
    thread.ended = is_final(error);
    thread.patience = calls_before_next_trial;
    if (thread.head != nullptr) {
        thread.head->lost_why = static_cast<uint64_t>(error);
    }
}

}  // namespace

void begin_streams() { pthread_key_create(&at_thread_end, thread_ends); }

void forget_streams() {
    pthread_mutex_init(&lock, nullptr);
    newest_thread = nullptr;
    threads = 0;
    threads_alive = 0;
    auto& thread = this_thread;
    thread.next = nullptr;
    thread.end = nullptr;
    thread.ended = false;
    thread.patience = 0;
    thread.id = 0;
    thread.head = nullptr;
    thread.file = {};
}

void end_streams() {
    cut(this_thread);
    pthread_mutex_lock(&lock);
    for (auto* thread = newest_thread; thread != nullptr; thread = thread->earlier) {
        if (thread->head != nullptr) {
            compare_clocks(*thread->head);
        }
    }
    pthread_mutex_unlock(&lock);
}

Record* more_room(Call const& call, int64_t result, uint64_t ticks_taken) {
    system::KeepErrno const keep;
    auto& thread = this_thread;
    if (!thread.ended && thread.patience == 0) {
        if ((thread.head != nullptr || begin_stream(thread)) && next_window(thread)) {
            return thread.next;
        }
        refused(thread, errno);
    }
    thread.patience -= thread.patience > 0 ? 1 : 0;
    count(thread, call, result, ticks_taken);
    return nullptr;
}

}  // namespace weir::trace
