#include "trace/wrappers/stdio/on_stream.hpp"

#include <sys/stat.h>

WEIR_CALL_NAMED(inline_read, STDIO, getc_unlocked, read);
WEIR_CALL_NAMED(inline_write, STDIO, putc_unlocked, write);

namespace weir::trace {
namespace {

constinit Call next_tell{"STDIO", "ftello64", "seek"};

void remember_places(StdioState& state, FILE const* stream) {
    state.read_place = stream->_IO_read_ptr;
    state.write_place = stream->_IO_write_ptr;
}

int64_t size_of(int descriptor) {
    system::KeepErrno const keep;
    struct stat facts {};
    return system::call(SYS_fstat, descriptor, &facts) == 0 ? facts.st_size : -1;
}

/// Calls of getc_unlocked() or putc_unlocked() inlined in the program: together, one record.
void record_unseen(OpenFile const& file, Call const& call, int64_t offset, int64_t bytes) {
    Recording recording(call);
    recording.end(file.name, offset, static_cast<uint64_t>(bytes), bytes);
}

/// Updates the position by the bytes moved since the last call.
void catch_up(OpenFile& file, FILE* stream) {
    auto& state = file.stdio;
    auto const read = stream->_IO_read_ptr - state.read_place;
    auto const written = stream->_IO_write_ptr - state.write_place;
    if (read == 0 && written == 0) [[likely]] {
        return;
    }
    bool const wide = stream->_mode > 0;
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

void stream_opened(OpenFile& file, FILE* stream, int64_t position, bool at_end) {
    file.shared = true;  // the stream moves the descriptor's position unseen: POSIX calls ask the kernel
    file.stdio = {stream, &this_thread, position, at_end, nullptr, nullptr};
    remember_places(file.stdio, stream);
}

int64_t before_stream_call(OpenFile& file, FILE* stream, uint8_t direction) {
    auto& state = file.stdio;
    if (state.stream != stream) [[unlikely]] {
        stream_opened(file, stream, ask_position(stream), false);
    } else if (state.thread == &this_thread) [[likely]] {
        catch_up(file, stream);
    } else {
        state.thread = nullptr;
    }
    if (file.appends && direction == 1 && !state.at_end && state.position >= 0) {
        state.position = size_of(stream->_fileno);
        state.at_end = true;
    }
    return state.position;
}

int64_t after_stream_call(OpenFile& file, FILE* stream, uint8_t direction, int64_t before, int64_t bytes) {
    auto& state = file.stdio;
    if (bytes < 0) {
        auto const now = ask_position(stream);
        state.position = now;
        bytes = now > before && before >= 0 ? now - before : 0;
    } else if (before >= 0) {
        __atomic_fetch_add(&state.position, bytes, __ATOMIC_RELAXED);
    }
    state.at_end = direction == 1;
    remember_places(state, stream);
    return bytes;
}

}  // namespace weir::trace
