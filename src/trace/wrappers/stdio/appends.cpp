#include "trace/wrappers/stdio/appends.hpp"

#include <string.h>
#include <sys/stat.h>

#include "trace/recorder/open_files.hpp"
#include "trace/recorder/recorder.hpp"

namespace weir::trace {
namespace {

constinit Call next_flush{"STDIO", "fflush", "sync"};

/// Bytes that the program has written and the C library has not.
int64_t buffered(FILE const* stream) { return stream->_IO_write_ptr - stream->_IO_write_base; }

/// Of a regular file; -1: it is none, and has no end.
int64_t size_of(int descriptor) {
    system::KeepErrno const keep;
    struct stat facts {};
    bool const known = system::call(SYS_fstat, descriptor, &facts) == 0;
    return known && S_ISREG(facts.st_mode) ? facts.st_size : -1;
}

bool writes_stream(Record const& record) {
    auto const& call = __start_weir_calls[record.call - 1];
    return call.direction() == 1 && strcmp(call.interface(), "STDIO") == 0;
}

/// Moves the offsets of this thread's last records of writes to this file, up to this many bytes before `end`. Those
/// in an earlier window of its stream are final.
void move_records(OpenDescription const& file, int64_t end, int64_t bytes, int64_t by) {
    auto const* const first = first_record_in_memory();
    auto* record = this_thread.next;
    auto* const last = static_cast<Record const*>(file.stdio.last_record);
    if (last >= first && last < record) {
        record -= record - last - 1;  // later ones may be another stream's, of the same offset
    }
    bytes -= file.stdio.split;
    while (bytes > 0 && record != first) {
        --record;
        bool const in_buffer = record->result > 0 && record->result <= bytes && record->offset + record->result == end;
        if (record->file != file.name || !in_buffer || !writes_stream(*record)) {
            continue;  // another stream's, or no write
        }
        end = record->offset;
        bytes -= record->result;
        record->offset += by;
    }
    if (bytes > 0 || file.stdio.split > 0) {
        report_misplaced_appends();
    }
}

}  // namespace

void before_append(OpenDescription& file, FILE* stream, int64_t unseen) {
    auto& state = file.stdio;
    auto const before = buffered(stream) - unseen;
    // Several threads may fill and flush the buffer between the calls of one: then its size tells nothing.
    if (before == 0 || state.buffered_at < 0 || state.thread == nullptr) {
        state.buffered_at = size_of(stream->_fileno);
    }
    if (state.buffered_at >= 0) {
        state.position = state.buffered_at + before;
    }
    state.split = before == 0 ? 0 : state.split;
    state.buffered_before = before + unseen;
    state.last_record = unseen > 0 ? this_thread.next : state.last_record;
}

int64_t after_append(OpenDescription& file, FILE* stream, int64_t bytes) {
    auto& state = file.stdio;
    auto const now = buffered(stream);
    auto const begin = state.position - bytes;
    if (state.buffered_at < 0 || now == state.buffered_before + bytes) {
        state.last_record = this_thread.next;
        return begin;
    }
    auto const end = size_of(stream->_fileno);
    auto const place = end + now - bytes;
    if (end < 0 || place < state.buffered_before) {
        return begin;  // others have truncated it since
    }
    if (place != begin && state.buffered_before > 0) {
        move_records(file, begin, state.buffered_before, place - begin);
    }
    state.split = now < bytes ? now : 0;
    state.buffered_at = end;
    state.position = end + now;
    state.last_record = this_thread.next;
    return place;
}

void before_flush(OpenDescription& file, FILE* stream) {
    auto& state = file.stdio;
    auto const bytes = buffered(stream);
    if (bytes == 0 || state.buffered_at < 0) {
        return;
    }
    auto const end = size_of(stream->_fileno);
    if (end >= 0 && end != state.buffered_at) {
        move_records(file, state.buffered_at + bytes, bytes, end - state.buffered_at);
        state.buffered_at = end;
        state.position = end + bytes;
    }
}

namespace {

/// The C library flushes what is left in the buffers of streams after the recorder has ended: those that append are
/// flushed before, so that their records have the places where the data land. A stream that another thread is using is
/// left alone.
__attribute__((destructor)) void flush_appends() {
    if (!recording() || descriptors == nullptr) {
        return;
    }
    for (int i = highest_descriptor(); i >= 0; --i) {
        auto* const file = descriptors[i];
        auto* const stream = file == nullptr || !file->appends ? nullptr : static_cast<FILE*>(file->stdio.stream);
        if (stream != nullptr && ftrylockfile(stream) == 0) {
            constexpr uint8_t neither = 2;
            before_stream_call(*file, stream, neither);
            next_flush.next<int (*)(FILE*)>()(stream);
            funlockfile(stream);
        }
    }
}

}  // namespace

}  // namespace weir::trace
