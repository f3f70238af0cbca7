#pragma once

#include <stdint.h>

#include "trace/format.hpp"
#include "trace/recorder/calls.hpp"
#include "trace/recorder/clock.hpp"
#include "trace/recorder/kept_directories.hpp"
#include "trace/recorder/known_paths.hpp"
#include "trace/recorder/names.hpp"
#include "trace/recorder/own_files.hpp"
#include "trace/recorder/prefixes.hpp"
#include "trace/recorder/system.hpp"

namespace weir::trace {

/// Settings from the environment; read once per process.
struct RecorderSettings {
    char directory[4096];   ///< WEIR_TRACE: folder of the trace; empty: nothing is recorded
    int64_t process_limit;  ///< WEIR_TRACE_LIMIT: bytes of records of a process; past it, calls are only counted
    Prefixes exclude;       ///< WEIR_TRACE_EXCLUDE: paths with these are not recorded
    Prefixes only;          ///< WEIR_TRACE_ONLY: paths with these alone are recorded

    void read();

    /// Is this file recorded? `path` is absolute.
    [[nodiscard]] bool wants(char const* path) const;

    /// Which files below a folder are recorded? `folder` ends with a slash.
    [[nodiscard]] KeptDirectory::Files wanted_below(char const* folder) const;
};

struct ByteCounts;

/// Scratch buffers of the current thread, instead of its stack: signal handlers and threads may have very little of
/// that. Use only under AtWork: interrupting code does not record then, and so does not use them.
struct Scratch {
    char name[8400];  ///< of one of the program's files
    char path[4500];  ///< of one of the trace's
    char raw[2048];   ///< for the first facts, as the following
    char command[4096];
    char line[8192];
    KeptDirectories directories;
    KnownPaths paths;
};

/// This thread's, mapped at first use and unmapped at the thread's end.
Scratch& scratch();
void release_scratch();

/// Why calls of a thread bypass the recorder.
enum class Bypass : uint8_t {
    none,
    recorder,     ///< they are the recorder's own; an interrupting signal handler's are only counted
    vfork_child,  ///< they are a vfork child's, in its parent's memory
    confined,     ///< the thread must not make additional system calls: calls are counted
};

/// The state of this thread. Accessed through the initial-exec model: a load from the thread's register.
struct Thread {
    Record* next = nullptr;
    Record* end = nullptr;
    uint64_t next_comparison = 0;     ///< ticks of the next comparison of the stream's clocks
    void const* outermost = nullptr;  ///< stack address of the outermost recorded call
    uint8_t level = 0;
    Bypass bypass = Bypass::none;      ///< none: calls are recorded
    uint8_t ends = 0;                  ///< how often the thread's end was announced
    bool has_free_descriptor = false;  ///< in run_with_free_descriptor()
    bool ended = false;                ///< no room, or no directory, for more records of this thread
    uint32_t calls_until_retry = 0;    ///< after making the stream was refused
    uint32_t id = 0;
    int64_t bytes[3]{};       ///< moved by recorded calls, by Call::direction()
    int64_t unrecorded[3]{};  ///< the same of files that are not recorded, until the stream counts them
    StreamHead* head = nullptr;
    char* windows = nullptr;  ///< two consecutive ones; null: the stream was truncated to its length
    int64_t window_bytes = 0;
    int64_t file_bytes = 0;  ///< of a truncated stream
    GrowingFile tail;        ///< what it has grown by since
    Scratch* scratch = nullptr;
    Thread* earlier = nullptr;  ///< of the process's threads
};
extern constinit thread_local __attribute__((tls_model("initial-exec"))) Thread this_thread;

/// The state of this process.
struct Process {
    bool begun = false;
    bool recording = false;
    bool confined = false;  ///< no thread may make the recorder's system calls: calls are counted
    bool named = false;     ///< its files exist: not at once in a child of fork, which usually calls exec
    uint32_t id = 0;
    uint32_t number_in_proc = 0;  ///< its number in /proc, which may be that of another namespace
    uint64_t namespace_id = 0;    ///< of its number; 0: unknown
    uint32_t forked_by = 0;       ///< the process that called fork; 0: unknown
    uint64_t forked_in = 0;       ///< its namespace
    RecorderSettings settings{};
    char prefix[4400]{};  ///< of all its files
    int64_t record_bytes = 0;
};
extern Process process;

/// Starts recording, unless it has started. Called by the library's constructor, or by the first wrapper called before
/// it.
void begin_process();

/// Creates this process's part of the trace, unless it exists.
void make_files();

/// To be called before each fork: the child names its parent, and hands it the bytes that it has moved.
void prepare_fork();

/// Truncates this thread's stream and the names to their used length, and reports lost calls. Recording may continue.
void end_program();

/// The same before exec.
void end_program_for(char const* next);

/// The same and the footer: the process exits.
void end_process();

/// The child of a fork has one thread, and records into its own files from here on.
void child_begins();

/// Room for one more record; null if there is none. Advances the window, and counts calls that do not fit: each once,
/// at its second half if `flags` say that it has halves.
Record* more_room(Call const&, int64_t result, uint64_t ticks_taken, uint8_t flags);

/// The first of this thread's records that have not left its memory, of which `next` is the end; null: there are none.
Record* first_record_in_memory();

/// Maps memory for this thread's next records, unless it is mapped: soon it cannot open files.
void prepare_stream(Thread&);

/// Begins this thread's stream, unless that is refused now: so that its unrecorded bytes are known if it is killed.
void keep_unrecorded_bytes();

/// Compares the clocks of this thread's existing stream, so that times are right if the program is killed.
void compare_again(Thread&);

/// Prepares for the streams of this process's threads; each is created by its thread's first record.
void begin_streams();

/// Truncates this thread's stream to its length; those of other threads, which may still run, are unchanged: valid up
/// to their last record. More may follow.
void end_streams();

/// In the child of a fork: the streams are the parent's.
void forget_streams();

/// Registers for notification of this thread's end, when the recorder frees its resources.
void announce_thread_end();

/// The number of streams that this process has begun.
uint32_t streams_of_process();

/// Adds the bytes that live threads have moved in recorded calls.
void add_bytes_of_threads(ByteCounts&);

/// During its lifetime, the recorder is working on this thread: calls of an interrupting signal handler bypass the
/// recorder, and so meet no held lock.
class AtWork {
  public:
    AtWork() : before_(this_thread.bypass) {
        this_thread.bypass = Bypass::recorder;
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
    }
    ~AtWork() {
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        this_thread.bypass = before_;
    }
    AtWork(AtWork const&) = delete;
    AtWork& operator=(AtWork const&) = delete;

  private:
    Bypass before_;
};

/// One call being recorded, from construction, or an earlier `begin`, to end().
class Recording {
  public:
    explicit Recording(Call const& call, uint64_t begin = 0) : call_(call), level_(this_thread.level) {
        // A longjmp may have left calls without end(): nested calls are deeper on the stack.
        if (level_ == 0 || static_cast<void const*>(this) >= this_thread.outermost) {
            level_ = 0;
            this_thread.outermost = this;
        }
        this_thread.level = level_ + 1;
        begin_ = begin == 0 ? ticks() : begin;
    }

    /// To be called once, after the function has returned.
    void end(uint32_t file, int64_t offset, uint64_t length, int64_t result, uint8_t flags = 0) {
        end_at(ticks(), file, offset, length, result, flags);
    }

    /// The same if something had to be queried after it had returned, at `now`.
    void end_at(uint64_t now, uint32_t file, int64_t offset, uint64_t length, int64_t result, uint8_t flags = 0) {
        auto& thread = this_thread;
        thread.level = level_;
        AtWork const at_work;
        thread.bytes[call_.direction()] += result > 0 ? result : 0;
        auto* record = thread.next;
        if (record == thread.end) [[unlikely]] {
            record = more_room(call_, result, now - begin_, flags);
            if (record == nullptr) {
                return;
            }
        }
        if (now >= thread.next_comparison) [[unlikely]] {
            compare_again(thread);
        }
        if (call_.entered_in != tables_of_names) [[unlikely]] {
            enter_call(call_);
        }
        thread.next = record + 1;
        record->begin_ticks = begin_;
        record->end_ticks = now;
        record->offset = offset;
        record->length = length;
        record->result = result;
        record->file = file;
        record->level = level_;
        record->flags = flags;
        __atomic_store_n(&record->call, call_.id(), __ATOMIC_RELEASE);  // last: it makes the record valid
    }

    /// Instead of end(), for calls that turn out not to be recorded.
    void forget() { this_thread.level = level_; }

  private:
    Call const& call_;
    uint64_t begin_;
    uint8_t level_;
};

/// Is this thread recording now?
inline bool recording() { return process.recording && !process.confined && this_thread.bypass == Bypass::none; }

}  // namespace weir::trace
