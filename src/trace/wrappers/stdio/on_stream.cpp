#include "trace/wrappers/stdio/on_stream.hpp"

#include "trace/wrappers/stdio/appends.hpp"

WEIR_CALL_NAMED(inline_read, STDIO, getc_unlocked, read);
WEIR_CALL_NAMED(inline_write, STDIO, putc_unlocked, write);

namespace weir::trace {
namespace {

constinit Call next_tell{"STDIO", "ftello64", "seek"};

void remember_places(StdioState& state, FILE const* stream) {
    state.read_place = stream->_IO_read_ptr;
    state.write_place = stream->_IO_write_ptr;
}

/// Calls of getc_unlocked() or putc_unlocked() inlined in the program: together, one record.
void record_unseen(OpenDescription const& file, Call const& call, int64_t offset, int64_t bytes) {
    Recording recording(call);
    recording.end(file.name, offset, static_cast<uint64_t>(bytes), bytes);
}

/// Updates the position by the bytes moved since the last call.
void catch_up(OpenDescription& file, FILE* stream) {
    auto& state = file.stdio;
    auto const read = stream->_IO_read_ptr - state.read_place;
    auto const written = stream->_IO_write_ptr - state.write_place;
    if (read == 0 && written == 0) [[likely]] {
        return;
    }
    bool const wide = stream->_mode > 0;
    if (file.appends && written > 0 && read == 0) {
        before_append(file, stream, written);
    }
    if (!wide && state.position >= 0 && read > 0 && written == 0) {
        record_unseen(file, call_inline_read, state.position, read);
        state.position += read;
    } else if (!wide && state.position >= 0 && written > 0 && read == 0) {
        record_unseen(file, call_inline_write, state.position, written);
        state.position += written;
    } else {
        state.position = ask_position(stream);
    }
    remember_places(state, stream);
}

}  // namespace

int64_t ask_position(FILE* stream) {
    system::KeepErrno const keep;
    return next_tell.next<off_t (*)(FILE*)>()(stream);
}

void stream_opened(OpenDescription& file, FILE* stream, int64_t position) {
    file.shared = true;  // the stream moves the descriptor's position unseen: POSIX calls ask the kernel
    file.stdio = {stream, &this_thread, position, -1, nullptr, nullptr, 0, 0, nullptr};
    remember_places(file.stdio, stream);
}

int64_t before_stream_call(OpenDescription& file, FILE* stream, uint8_t direction) {
    auto& state = file.stdio;
    if (state.stream != stream) [[unlikely]] {
        stream_opened(file, stream, ask_position(stream));
    } else if (state.thread == &this_thread) [[likely]] {
        catch_up(file, stream);
    } else {
        state.thread = nullptr;
    }
    if (file.appends && state.position >= 0) {
        direction == 1 ? before_append(file, stream, 0) : before_flush(file, stream);
    }
    return state.position;
}

StreamMove after_stream_call(OpenDescription& file, FILE* stream, uint8_t direction, StreamMove told, int64_t most) {
    auto& state = file.stdio;
    auto moved = told;
    if (told.bytes < 0) {
        auto const now = ask_position(stream);
        state.position = now;
        moved.bytes = now > told.offset && told.offset >= 0 ? now - told.offset : 0;
        moved.bytes = moved.bytes < most ? moved.bytes : most;
        state.buffered_at = direction == 1 ? -1 : state.buffered_at;
    } else if (told.offset >= 0) {
        __atomic_fetch_add(&state.position, told.bytes, __ATOMIC_RELAXED);
        if (file.appends && direction == 1) {
            moved.offset = after_append(file, stream, told.bytes);
        }
    }
    remember_places(state, stream);
    return moved;
}

}  // namespace weir::trace
