#pragma once

#include <stdint.h>

#include "trace/format.hpp"
#include "trace/recorder/calls.hpp"
#include "trace/recorder/clock.hpp"
#include "trace/recorder/names.hpp"
#include "trace/recorder/settings.hpp"
#include "trace/recorder/system.hpp"

namespace weir::trace {

/// What is known of this thread. Reached through the initial-exec model: a load from the thread's register.
struct Thread {
    Record* next = nullptr;
    Record* end = nullptr;
    uint8_t level = 0;
    bool inside = false;  ///< the recorder itself is at work: what it calls is not recorded
    bool ended = false;   ///< there is no room, or no directory, for more records of this thread
    int descriptor = -1;
    uint32_t id = 0;
    int64_t file_bytes = 0;  ///< of the stream, up to the end of the window
    StreamHead* head = nullptr;
    Record* window = nullptr;  ///< the part of the stream that is in memory
    int64_t window_bytes = 0;
    Thread* earlier = nullptr;  ///< of the process's threads
};
extern thread_local __attribute__((tls_model("initial-exec"))) Thread this_thread;

/// What is known of this process.
struct Process {
    bool begun = false;
    bool recording = false;
    uint32_t id = 0;
    Settings settings{};
    char prefix[4400]{};  ///< of all its files
    int64_t record_bytes = 0;
};
extern Process process;

/// Makes this process's part of the trace, unless it is there. Called by the library's constructor, and by the first
/// wrapper that is called before it.
void begin_process();

/// Room for one more record; null where there is none. Moves the window on, and counts what does not fit.
Record* more_room(Call const&, int64_t result, uint64_t ticks_taken);

/// One call that is being recorded, from construction to end().
class Recording {
  public:
    explicit Recording(Call const& call) : call_(call) {
        ++this_thread.level;
        begin_ = ticks();
    }

    /// To be called once, when the function has returned.
    void end(uint32_t file, int64_t offset, uint64_t length, int64_t result, uint8_t flags = 0) {
        end_at(ticks(), file, offset, length, result, flags);
    }

    /// The same where something had to be asked after it had returned, at `now`.
    void end_at(uint64_t now, uint32_t file, int64_t offset, uint64_t length, int64_t result, uint8_t flags = 0) {
        auto& thread = this_thread;
        --thread.level;
        auto* record = thread.next;
        if (record == thread.end) [[unlikely]] {
            record = more_room(call_, result, now - begin_);
            if (record == nullptr) {
                return;
            }
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
        record->level = thread.level;
        record->flags = flags;
        __atomic_store_n(&record->call, call_.id(), __ATOMIC_RELEASE);  // last: it makes the record valid
    }

    /// Instead of end(), for what turns out not to be recorded.
    void forget() { --this_thread.level; }

  private:
    Call const& call_;
    uint64_t begin_;
};

/// Is anything recorded on this thread now?
inline bool recording() { return process.recording && !this_thread.inside; }

/// While it lives, the recorder is at work on this thread.
class Inside {
  public:
    Inside() { this_thread.inside = true; }
    ~Inside() { this_thread.inside = false; }
    Inside(Inside const&) = delete;
    Inside& operator=(Inside const&) = delete;
};

}  // namespace weir::trace
