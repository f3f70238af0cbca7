#pragma once

#include <stdint.h>

#include "trace/format.hpp"
#include "trace/recorder/calls.hpp"
#include "trace/recorder/clock.hpp"
#include "trace/recorder/names.hpp"
#include "trace/recorder/own_files.hpp"
#include "trace/recorder/system.hpp"

namespace weir::trace {

/// What the environment asks for; read once a process.
struct Settings {
    char directory[4096];   ///< WEIR_TRACE: where the trace goes; empty: nothing is recorded
    int64_t process_limit;  ///< WEIR_TRACE_LIMIT: bytes of records of a process; past it, calls are only counted
    char exclude[4096];     ///< WEIR_TRACE_EXCLUDE: paths that begin so are left out, separated by ':'
    char only[4096];        ///< WEIR_TRACE_ONLY: only paths that begin so are recorded, separated by ':'

    void read();

    /// Is this file to be recorded? `path` is absolute.
    [[nodiscard]] bool wants(char const* path) const;
};

struct ByteCounts;

/// Scratch buffers of the thread that is at work, instead of its stack: signal handlers and threads may have very
/// little of that. To be used under AtWork alone: what comes in between does not record, and so does not use them.
struct Scratch {
    char name[8400];  ///< of one of the program's files
    char path[4500];  ///< of one of the trace's
    char raw[2048];   ///< for the first facts, as the following
    char command[4096];
    char line[8192];
};

/// This thread's, mapped on first use and unmapped at the thread's end.
Scratch& scratch();
void release_scratch();

/// Why calls of a thread bypass the recorder.
enum class Bypass : uint8_t {
    none,
    recorder,     ///< they are the recorder's own; a signal handler that interrupts it is counted only
    vfork_child,  ///< they are a vfork child's, in its parent's memory
    confined,     ///< the thread may make no system call that the program does not make: calls are counted
};

/// What is known of this thread. Reached through the initial-exec model: a load from the thread's register.
struct Thread {
    Record* next = nullptr;
    Record* end = nullptr;
    uint64_t next_comparison = 0;     ///< ticks at which the stream's clocks are compared again
    void const* outermost = nullptr;  ///< where on the stack the outermost call that is recorded stands
    uint8_t level = 0;
    Bypass bypass = Bypass::none;  ///< none: calls are recorded
    uint8_t ends = 0;              ///< how often the thread's end was announced
    bool ended = false;            ///< there is no room, or no directory, for more records of this thread
    uint32_t patience = 0;         ///< calls to count before a stream that was refused is tried again
    uint32_t id = 0;
    int64_t bytes[3]{};  ///< moved by what was recorded, by Call::direction()
    StreamHead* head = nullptr;
    char* windows = nullptr;  ///< two of them, one behind the other; null: the stream was cut to its length
    int64_t window_bytes = 0;
    int64_t file_bytes = 0;  ///< of a stream that was cut
    GrowingFile tail;        ///< what it grows by since
    Scratch* scratch = nullptr;
    Thread* earlier = nullptr;  ///< of the process's threads
};
extern constinit thread_local __attribute__((tls_model("initial-exec"))) Thread this_thread;

/// What is known of this process.
struct Process {
    bool begun = false;
    bool recording = false;
    bool confined = false;  ///< no thread may make system calls of the recorder's: calls are counted
    bool named = false;     ///< its files exist: not at once in a child of fork, which mostly calls exec
    uint32_t id = 0;
    Settings settings{};
    char prefix[4400]{};  ///< of all its files
    int64_t record_bytes = 0;
};
extern Process process;

/// Begins to record, unless that was done. Called by the library's constructor, and by the first wrapper that is called
/// before it.
void begin_process();

/// Makes this process's part of the trace, unless it is there.
void make_files();

/// This thread's stream and the names are cut to their length, and what was lost is told. More may come.
void end_program();

/// The same before the process becomes another program.
void end_program_for(char const* next);

/// The same and the footer: the process ends by itself.
void end_process();

/// The child of a fork has one thread, and records into files of its own from here on.
void child_begins();

/// Room for one more record; null where there is none. Advances the window, and counts calls that do not fit: each
/// once, at its second half where `flags` say that it has halves.
Record* more_room(Call const&, int64_t result, uint64_t ticks_taken, uint8_t flags);

/// Maps what this thread needs for its next records, unless it is mapped: soon it can open no files.
void prepare_stream(Thread&);

/// Compares the clocks of this thread's stream, which is there, so that times are right where the program is killed.
void compare_again(Thread&);

/// Prepares for the streams of this process's threads; each is made by its thread's first record.
void begin_streams();

/// Truncates this thread's stream to its length; those of other threads, which may still run, stay as they are: valid
/// up to their last record. More may come.
void end_streams();

/// In the child of a fork: the streams are the parent's.
void forget_streams();

/// Lets this thread's end be announced to the recorder, which then frees what it has taken.
void announce_thread_end();

/// Adds the bytes that live threads have moved by what was recorded.
void add_bytes_of_threads(ByteCounts&);

/// While it lives, the recorder is at work on this thread: calls of a signal handler that interrupts it bypass the
/// recorder, and so find no lock held.
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

/// One call that is being recorded, from construction, or an earlier `begin`, to end().
class Recording {
  public:
    explicit Recording(Call const& call, uint64_t begin = 0) : call_(call), level_(this_thread.level) {
        // A longjmp may have left calls that were never ended: what is inside another call stands deeper on the stack.
        if (level_ == 0 || static_cast<void const*>(this) >= this_thread.outermost) {
            level_ = 0;
            this_thread.outermost = this;
        }
        this_thread.level = level_ + 1;
        begin_ = begin == 0 ? ticks() : begin;
    }

    /// To be called once, when the function has returned.
    void end(uint32_t file, int64_t offset, uint64_t length, int64_t result, uint8_t flags = 0) {
        end_at(ticks(), file, offset, length, result, flags);
    }

    /// The same where something had to be asked after it had returned, at `now`.
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
        if (!call_.entered) [[unlikely]] {
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

    /// Instead of end(), for what turns out not to be recorded.
    void forget() { this_thread.level = level_; }

  private:
    Call const& call_;
    uint64_t begin_;
    uint8_t level_;
};

/// Is anything recorded on this thread now?
inline bool recording() { return process.recording && !process.confined && this_thread.bypass == Bypass::none; }

}  // namespace weir::trace
