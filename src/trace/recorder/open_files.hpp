#pragma once

#include <stdint.h>
#include <sys/types.h>

namespace weir::trace {

struct Thread;

/// A stream of stdio on an open file, as its last call left it. See stdio_position.hpp.
struct StdioState {
    void* stream = nullptr;
    Thread* thread = nullptr;          ///< that used it; null: several did
    int64_t position = -1;             ///< of its next byte, as the program sees it; -1: it has none
    bool at_end = false;               ///< of a stream that appends: the position is that of the next write
    char const* read_place = nullptr;  ///< in its buffer
    char const* write_place = nullptr;
};

/// An open file description; descriptors that dup() has made share one.
struct OpenFile {
    uint32_t name = 0;  ///< 0: not recorded
    uint32_t descriptors = 0;
    int64_t position = 0;
    bool appends = false;
    bool shared =
        false;  ///< another process or stdio may move its position too, or writes go to its end: the system is asked
    StdioState stdio;
};

constexpr int most_descriptors = 1 << 20;
extern OpenFile** descriptors;  ///< the open file of each; null: not known yet
extern OpenFile not_recorded;   ///< that of all descriptors that are not recorded

OpenFile* look_up(int descriptor);

/// The open file of a descriptor; null where it is not recorded. One that was opened before the recorder began, or in a
/// parent, is looked up.
inline OpenFile* file_of(int descriptor) {
    if (static_cast<unsigned>(descriptor) < most_descriptors && descriptors != nullptr) [[likely]] {
        auto* const file = __atomic_load_n(&descriptors[descriptor], __ATOMIC_ACQUIRE);
        if (file != nullptr) [[likely]] {
            return file == &not_recorded ? nullptr : file;
        }
    }
    return look_up(descriptor);
}

/// A descriptor has been opened by this process, by this name (null: another way) relative to a directory's descriptor.
OpenFile* opened(int descriptor, int directory, char const* path, int flags);

/// Relative paths mean other files from here on.
void directory_changed();

/// Its flags may have been changed, by F_SETFL.
void flags_changed(int descriptor, int flags);

void duplicated(int from, int to);
void closed(int descriptor);

/// All of them from the first to the last have been closed.
void closed_range(unsigned first, unsigned last);

/// The number of a file by its name, relative to a directory's descriptor or to the current directory.
uint32_t file_at(int directory, char const* path);

/// The same after a call that was given the name: where it failed, the name may be no text. With AT_EMPTY_PATH among
/// the flags, an empty name means what the directory's descriptor is, or the current directory.
uint32_t file_asked_for(int directory, char const* path, int flags, int64_t result);

/// Reports submission queues of asynchronous I/O among the first descriptors that were not looked up yet.
void look_for_open_queues();

/// The highest descriptor so far that was seen here; -1: none.
int highest_descriptor();

/// After a fork, the child looks everything up again, and parent and child share the positions of what was open.
void forget_all_files();
void share_all_positions();

/// After a read or write at the file's own position, which has moved so many bytes: the position at which it began; -1
/// where the file has none.
int64_t advance_position(OpenFile&, int descriptor, ssize_t result);

/// The file's position has been set.
void set_position(OpenFile&, int64_t position);

}  // namespace weir::trace
