#pragma once

namespace weir::trace {

/// Makes ready for the streams of this process's threads; each is made by its thread's first record.
void begin_streams();

/// Lets this thread's end be told to the recorder, which then gives back what it has taken.
void announce_thread_end();

/// What threads that live have moved by what was recorded.
struct MovedBytes;
void add_moved_of_threads(MovedBytes&);

/// In the child of a fork: the streams are the parent's.
void forget_streams();

/// This thread's stream is cut to its length; those of others, which may still be at work, stay as they are: valid up
/// to their last record. More may come.
void end_streams();

}  // namespace weir::trace
