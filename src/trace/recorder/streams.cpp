#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "trace/recorder/counts.hpp"
#include "trace/recorder/coverage.hpp"
#include "trace/recorder/recorder.hpp"

namespace weir::trace {
namespace {

constexpr int64_t largest_window = 128 << 10;
constexpr int64_t smallest_window = 16 << 10;
constexpr uint64_t first_comparison = 1 << 20;  ///< ticks between comparisons of clocks: at most a millisecond
constexpr int64_t comparison_ns = 50'000'000;   ///< the same once the tick length is known
constexpr int64_t windows_together = 16 << 20;  ///< limit on the memory of a process with many threads

pthread_mutex_t streams_lock = PTHREAD_MUTEX_INITIALIZER;  ///< for the list of threads
Thread* newest_thread = nullptr;
uint32_t threads = 0;
uint32_t streams_begun = 0;
uint32_t threads_alive = 0;
pthread_key_t at_thread_end;

/// Both are stored as close together as possible: a program may be killed at any instant.
void compare_clocks(StreamHead& head) {
    auto const now = ticks();
    auto const now_ns = nanoseconds(CLOCK_MONOTONIC);
    head.end_ticks = now;
    head.end_monotonic_ns = now_ns;
}

/// Of a thread's stream; in this thread's scratch buffers.
char const* path_of(Thread const& thread) {
    auto& path = scratch().path;
    snprintf(path, sizeof path, "%s.%u.records", process.prefix, thread.id);
    return path;
}

void enter_in_list(Thread& thread) {
    pthread_mutex_lock(&streams_lock);
    thread.id = ++threads;
    thread.earlier = newest_thread;
    newest_thread = &thread;
    ++threads_alive;
    pthread_mutex_unlock(&streams_lock);
    announce_thread_end();
}

void remove_from_list(Thread& thread) {
    system::Lock const guard(streams_lock);
    for (auto** link = &newest_thread; *link != nullptr; link = &(*link)->earlier) {
        if (*link == &thread) {
            *link = thread.earlier;
            --threads_alive;
            break;
        }
    }
}

/// Each thread has two windows.
int64_t window_for_one_more() {
    auto const share = windows_together / 2 / (threads_alive + 1) / head_page * head_page;
    return share > largest_window ? largest_window : share < smallest_window ? smallest_window : share;
}

/// Creates the stream's file, its head and its windows, which stay mapped while the thread lives. Windows are reused:
/// mapping ever new parts of the file would touch a new page every 85 records, which costs several times as much.
bool begin_stream(Thread& thread) {
    make_files();
    if (thread.id == 0) {
        enter_in_list(thread);
    }
    GrowingFile file;
    auto const window = window_for_one_more();
    auto* const place = file.move(path_of(thread), 0, head_page + 2 * window);
    if (place == nullptr) {
        return false;
    }
    thread.head = reinterpret_cast<StreamHead*>(place);
    thread.windows = place + head_page;
    thread.window_bytes = window;
    auto& head = *thread.head;
    head.window_bytes = static_cast<uint64_t>(window);
    head.head_bytes = static_cast<uint32_t>(head_page + 2 * window);
    head.record_bytes = sizeof(Record);
    head.process = process.id;
    head.thread = thread.id;
    head.start_real_ns = nanoseconds(CLOCK_REALTIME);
    head.start_ticks = ticks();
    head.start_monotonic_ns = nanoseconds(CLOCK_MONOTONIC);
    compare_clocks(head);
    thread.next_comparison = head.end_ticks + first_comparison;
    take_over_unrecorded_bytes(thread);
    memcpy(head.magic, magic, sizeof magic);
    __atomic_add_fetch(&streams_begun, 1, __ATOMIC_RELAXED);
    return true;
}

/// Takes up to this many records from the process's limit; 0: the limit is reached.
int64_t take_of_limit(int64_t records) {
    auto const wanted = records * int64_t{sizeof(Record)};
    auto const before = __atomic_fetch_add(&process.record_bytes, wanted, __ATOMIC_RELAXED);
    auto const left = process.settings.process_limit - before;
    if (left >= wanted) {
        return records;
    }
    auto const rest = left < 0 ? 0 : left / int64_t{sizeof(Record)};
    __atomic_fetch_sub(&process.record_bytes, wanted - rest * int64_t{sizeof(Record)}, __ATOMIC_RELAXED);
    return rest;
}

void return_to_limit(int64_t records) {
    __atomic_fetch_sub(&process.record_bytes, records * int64_t{sizeof(Record)}, __ATOMIC_RELAXED);
}

int64_t records_in_window(Thread const& thread) { return thread.window_bytes / int64_t{sizeof(Record)}; }

/// The window in use.
Record* window_of(Thread const& thread, uint64_t flushed) {
    auto const odd = flushed / static_cast<uint64_t>(records_in_window(thread)) % 2;
    return reinterpret_cast<Record*>(thread.windows + (odd == 0 ? 0 : thread.window_bytes));
}

/// Writes the current window after the existing records. Readers do not see it yet.
bool write_behind(Thread const& thread, int64_t records) {
    auto const* data = reinterpret_cast<char const*>(window_of(thread, thread.head->flushed));
    auto at = thread.head->head_bytes + static_cast<int64_t>(thread.head->flushed * sizeof(Record));
    auto left = records * int64_t{sizeof(Record)};
    if (!system::may_reach(at + left)) {
        return false;
    }
    with_own_file(path_of(thread), O_WRONLY, [&](int descriptor) {
        while (left > 0) {
            auto const n = system::retry_if_interrupted(
                [&] { return system::write_at(descriptor, data, static_cast<size_t>(left), at); });
            if (n <= 0) {
                break;
            }
            data += n;
            at += n;
            left -= n;
        }
    });
    return left == 0;
}

void clear(Record* window, int64_t records) {
    for (int64_t i = 0; i < records; ++i) {
        window[i].call = 0;
    }
}

/// The other window is cleared before a single store makes it current: at every instant a reader finds each record
/// exactly once.
bool next_window(Thread& thread) {
    auto& head = *thread.head;
    auto const records = records_in_window(thread);
    if (thread.next != nullptr) {
        if (!write_behind(thread, records)) {
            return false;
        }
        auto const flushed = head.flushed + static_cast<uint64_t>(records);
        clear(window_of(thread, flushed), records);
        __atomic_store_n(&head.flushed, flushed, __ATOMIC_RELEASE);
        compare_clocks(head);
    }
    thread.next = window_of(thread, head.flushed);
    return true;
}

/// After the stream was truncated to its length: continues the mapping.
bool next_piece(Thread& thread) {
    constexpr int64_t bytes = 16 << 10;
    if (thread.tail.window != nullptr) {
        thread.file_bytes = thread.tail.window_from + (reinterpret_cast<char*>(thread.next) - thread.tail.window);
    }
    auto* const place = thread.tail.move(path_of(thread), thread.file_bytes, bytes);
    thread.next = place == nullptr ? thread.next : reinterpret_cast<Record*>(place);
    return place != nullptr;
}

/// The number of records that still fit the window, if the limit left the thread less of it.
int64_t left_in_window(Thread const& thread) {
    return thread.windows == nullptr || thread.next == nullptr
               ? 0
               : window_of(thread, thread.head->flushed) + records_in_window(thread) - thread.next;
}

bool has_room(Thread& thread) {
    auto const left = left_in_window(thread);
    auto const here = left > 0                    ? left
                      : thread.windows == nullptr ? (16 << 10) / int64_t{sizeof(Record)}
                                                  : records_in_window(thread);
    auto const records = take_of_limit(here);
    if (records == 0) {
        errno = EFBIG;
        return false;
    }
    if (left == 0 && !(thread.windows == nullptr ? next_piece(thread) : next_window(thread))) {
        return_to_limit(records);
        return false;
    }
    thread.end = thread.next + records;
    return true;
}

/// Frees the blocks of the windows, which become a hole.
void punch_windows(Thread const& thread) {
    constexpr int punch_hole_keep_size = 3;
    auto const bytes = int64_t{thread.head->head_bytes} - head_page;
    if (bytes > 0) {
        with_own_file(path_of(thread), O_WRONLY, [&](int descriptor) {
            system::call(SYS_fallocate, descriptor, punch_hole_keep_size, int64_t{head_page}, bytes);
        });
    }
}

/// Moves all records together after the head, and truncates the unused rest.
void cut(Thread& thread) {
    if (thread.head == nullptr) {
        return;
    }
    auto& head = *thread.head;
    compare_clocks(head);
    if (thread.windows == nullptr) {
        if (thread.tail.window != nullptr) {
            thread.file_bytes = thread.tail.window_from + (reinterpret_cast<char*>(thread.next) - thread.tail.window);
            thread.tail.cut(path_of(thread), thread.file_bytes);
        }
    } else {
        auto const records = thread.next == nullptr ? 0 : thread.next - window_of(thread, head.flushed);
        if (head.flushed == 0) {
            head.head_bytes = head_page;  // the first window is where records belong
        } else if (!write_behind(thread, records)) {
            return;
        }
        __atomic_store_n(&head.window_bytes, 0, __ATOMIC_RELEASE);
        system::unmap(thread.windows, static_cast<size_t>(2 * thread.window_bytes));
        thread.windows = nullptr;
        __atomic_store_n(&head.flushed, head.flushed + static_cast<uint64_t>(records), __ATOMIC_RELEASE);
        thread.file_bytes = head.head_bytes + static_cast<int64_t>(head.flushed * sizeof(Record));
        thread.tail = {};
        thread.tail.reserved = thread.file_bytes;
        system::truncate(path_of(thread), thread.file_bytes);
        punch_windows(thread);
    }
    return_to_limit(thread.end - thread.next);
    thread.next = nullptr;
    thread.end = nullptr;
}

/// Called repeatedly, as long as it requests that: calls of other libraries at the thread's end are recorded too.
void thread_ends(void* which) {
    constexpr int rounds = 3;
    auto& thread = *static_cast<Thread*>(which);
    AtWork const at_work;
    if (++thread.ends < rounds) {
        pthread_setspecific(at_thread_end, which);
        return;
    }
    cut(thread);
    retire_byte_counts(thread);
    remove_from_list(thread);
    if (thread.head != nullptr) {
        auto const windows = thread.windows == nullptr ? 0 : 2 * thread.window_bytes;
        system::unmap(thread.head, static_cast<size_t>(head_page + windows));
        thread.head = nullptr;
        thread.windows = nullptr;
        thread.next = nullptr;
        thread.end = nullptr;
    }
    thread.ended = true;
    release_scratch();
}

/// Will it fail for the lifetime of the process?
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
    thread.calls_until_retry = calls_before_next_trial;
    if (thread.head != nullptr) {
        thread.head->lost_why = static_cast<uint64_t>(error);
    }
}

}  // namespace

void begin_streams() { pthread_key_create(&at_thread_end, thread_ends); }

void announce_thread_end() { pthread_setspecific(at_thread_end, &this_thread); }

void forget_streams() {
    pthread_mutex_init(&streams_lock, nullptr);
    newest_thread = nullptr;
    threads = 0;
    streams_begun = 0;
    threads_alive = 0;
    auto& thread = this_thread;
    thread.next = nullptr;
    thread.end = nullptr;
    thread.ended = false;
    thread.calls_until_retry = 0;
    thread.id = 0;
    thread.head = nullptr;
    thread.windows = nullptr;
    thread.tail = {};
    memset(thread.unrecorded, 0, sizeof thread.unrecorded);
}

void end_streams() {
    cut(this_thread);
    system::Lock const guard(streams_lock);
    for (auto* thread = newest_thread; thread != nullptr; thread = thread->earlier) {
        if (thread->head != nullptr) {
            compare_clocks(*thread->head);
        }
    }
}

uint32_t streams_of_process() { return __atomic_load_n(&streams_begun, __ATOMIC_RELAXED); }

void add_bytes_of_threads(ByteCounts& sum) {
    system::Lock const guard(streams_lock);
    for (auto const* thread = newest_thread; thread != nullptr; thread = thread->earlier) {
        sum.read += thread->bytes[0];
        sum.written += thread->bytes[1];
        if (thread->head != nullptr) {
            sum.read += static_cast<int64_t>(thread->head->unrecorded[0]);
            sum.written += static_cast<int64_t>(thread->head->unrecorded[1]);
        }
    }
}

void keep_unrecorded_bytes() {
    auto& thread = this_thread;
    if (recording() && !thread.ended && thread.calls_until_retry == 0) {
        system::KeepErrno const keep;
        AtWork const at_work;
        prepare_stream(thread);
        if (thread.head == nullptr) {
            refused(thread, errno);
        }
    }
}

void prepare_stream(Thread& thread) {
    if (thread.head == nullptr && !thread.ended && begin_stream(thread) && has_room(thread)) {
        thread.calls_until_retry = 0;
    }
}

void compare_again(Thread& thread) {
    auto& head = *thread.head;
    compare_clocks(head);
    auto const ticks_passed = static_cast<double>(head.end_ticks - head.start_ticks);
    auto const ns_passed = static_cast<double>(head.end_monotonic_ns - head.start_monotonic_ns);
    auto const wait = ns_passed > 0 ? ticks_passed / ns_passed * comparison_ns : 0;
    thread.next_comparison = head.end_ticks + (wait > 0 ? static_cast<uint64_t>(wait) : first_comparison);
}

Record* first_record_in_memory() {
    auto const& thread = this_thread;
    if (thread.next == nullptr) {
        return nullptr;
    }
    return thread.windows != nullptr ? window_of(thread, thread.head->flushed)
                                     : reinterpret_cast<Record*>(thread.tail.window);
}

Record* more_room(Call const& call, int64_t result, uint64_t ticks_taken, uint8_t flags) {
    system::KeepErrno const keep;
    auto& thread = this_thread;
    if (!thread.ended && thread.calls_until_retry == 0) {
        if ((thread.head != nullptr || begin_stream(thread)) && has_room(thread)) {
            return thread.next;
        }
        refused(thread, errno);
    }
    thread.calls_until_retry -= thread.calls_until_retry > 0 ? 1 : 0;
    if ((flags & first_half) == 0) {
        count(thread, call, result, (flags & second_half) != 0 ? 2 * ticks_taken : ticks_taken);
    }
    return nullptr;
}

}  // namespace weir::trace
