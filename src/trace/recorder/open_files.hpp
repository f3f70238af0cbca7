#pragma once

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

namespace weir::trace {

struct Thread;

/// The state of a stdio stream on an open file after its last call. See stdio_position.hpp.
struct StdioState {
    void* stream = nullptr;
    Thread* thread = nullptr;          ///< that used it; null: several did
    int64_t position = -1;             ///< of its next byte, as the program sees it; -1: none
    int64_t buffered_at = -1;          ///< for appending: where its buffered writes will land; -1: to be asked
    char const* read_place = nullptr;  ///< in its buffer
    char const* write_place = nullptr;
    int64_t buffered_before = 0;  ///< for appending: bytes in its buffer when the last write began
    int64_t split = 0;            ///< for appending: bytes in its buffer of a write whose first part has been flushed
    void const* last_record = nullptr;  ///< for appending: the place of the last write's record
};

/// An open file description; shared by descriptors from dup().
struct OpenDescription {
    uint32_t name = 0;  ///< 0: not recorded
    uint32_t descriptors = 0;
    int64_t position = 0;
    int64_t started_end = 0;  ///< of the file, when writes that were started to append are done
    bool appends = false;
    bool shared = false;  ///< another process or stdio may move its position too, or writes append: the kernel is asked
    StdioState stdio;
};

constexpr int most_descriptors = 1 << 20;
extern OpenDescription** descriptors;  ///< the open file of each; null: unknown so far
extern OpenDescription not_recorded;   ///< shared by all descriptors that are not recorded

OpenDescription* look_up(int descriptor);

/// The open file of a descriptor; null if it is not recorded. One opened before the recorder started, or by a parent,
/// is looked up.
inline OpenDescription* file_of(int descriptor) {
    if (static_cast<unsigned>(descriptor) < most_descriptors && descriptors != nullptr) [[likely]] {
        auto* const file = __atomic_load_n(&descriptors[descriptor], __ATOMIC_ACQUIRE);
        if (file != nullptr) [[likely]] {
            return file == &not_recorded ? nullptr : file;
        }
    }
    return look_up(descriptor);
}

/// This process has opened a descriptor, by this name (null: in another way) relative to a directory's descriptor.
OpenDescription* opened(int descriptor, int directory, char const* path, int flags);

/// F_SETFL may have changed its flags.
void flags_changed(int descriptor, int flags);

void duplicated(int from, int to);
void closed(int descriptor);

/// All descriptors from the first to the last have been closed.
void closed_range(unsigned first, unsigned last);

/// Reports submission queues of asynchronous I/O among the first descriptors not yet looked up.
void look_for_open_queues();

/// The highest descriptor seen so far; -1: none.
int highest_descriptor();

/// After a fork the child looks everything up again, and parent and child share the positions of open files.
void forget_all_files();
void share_all_positions();

/// To be called after a read or write of this many bytes at the file's own position: the position at which it began; -1
/// if the file has none.
int64_t advance_position(OpenDescription&, int descriptor, ssize_t result);

/// To be called after a write that appends whatever offset it is given: where it began, if the file has not grown
/// since; for what has no end, such as a device, the offset given.
int64_t place_of_append(int descriptor, ssize_t result, int64_t given);

/// To be called before a write of this many bytes is started that will append: where it will begin, behind those that
/// were started before.
int64_t place_of_started_append(OpenDescription&, int descriptor, uint64_t bytes, int64_t given);

/// The same of one that had been started, when others are done: without looking.
inline int64_t place_behind_started(OpenDescription& file, uint64_t bytes) {
    return __atomic_fetch_add(&file.started_end, static_cast<int64_t>(bytes), __ATOMIC_RELAXED);
}

/// The file's position has been set.
void set_position(OpenDescription&, int64_t position);

}  // namespace weir::trace
