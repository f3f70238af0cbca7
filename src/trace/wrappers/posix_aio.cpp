// Asynchronous reads and writes of POSIX: their start, with what they were asked for, and what came of them.

#include <aio.h>

#include "trace/recorder/wrap.hpp"

using namespace weir::trace;

static_assert(sizeof(aiocb) == sizeof(aiocb64), "the 64-bit twins are the same functions");

namespace {

/// Starts something on one file. What was asked for stands as the result; the flag says that nothing has come of it
/// yet.
template <class Real>
int starting(Call& call, aiocb* request, bool transfers, Real real) {
    if (!recording()) [[unlikely]] {
        begin_process();
        return real();
    }
    auto* const file = request == nullptr ? nullptr : file_of(request->aio_fildes);
    if (file == nullptr) {
        return real();
    }
    auto const name = file->name;
    auto const bytes = transfers ? request->aio_nbytes : 0;
    auto const offset = transfers ? request->aio_offset : -1;
    Recording recording(call);
    auto const result = real();
    auto const now = ticks();
    recording.end_at(now, name, offset, bytes, result < 0 ? outcome(result) : static_cast<int64_t>(bytes), started);
    return result;
}

}  // namespace

WEIR_CALL(POSIX, aio_read, read);
WEIR_EXPORT int aio_read(aiocb* request) noexcept {
    return starting(call_aio_read, request, true, [&] { return call_aio_read.next<decltype(&aio_read)>()(request); });
}

WEIR_CALL(POSIX, aio_write, write);
WEIR_EXPORT int aio_write(aiocb* request) noexcept {
    return starting(call_aio_write, request, true,
                    [&] { return call_aio_write.next<decltype(&aio_write)>()(request); });
}

WEIR_CALL(POSIX, aio_fsync, sync);
WEIR_EXPORT int aio_fsync(int operation, aiocb* request) noexcept {
    return starting(call_aio_fsync, request, false,
                    [&] { return call_aio_fsync.next<decltype(&aio_fsync)>()(operation, request); });
}

WEIR_CALL_NAMED(listed_read, POSIX, lio_listio, read);
WEIR_CALL_NAMED(listed_write, POSIX, lio_listio, write);
WEIR_CALL(POSIX, lio_listio, other);

namespace {

/// In a frame of its own, since what is inside another call stands deeper on the stack.
__attribute__((noinline)) void record_listed(aiocb const& request) {
    auto const* const file = file_of(request.aio_fildes);
    if (file != nullptr) {
        Recording recording(request.aio_lio_opcode == LIO_READ ? call_listed_read : call_listed_write);
        auto const bytes = request.aio_nbytes;
        recording.end(file->name, request.aio_offset, bytes, static_cast<int64_t>(bytes), started);
    }
}

}  // namespace

WEIR_EXPORT int lio_listio(int mode, aiocb* const* requests, int count, sigevent* event) noexcept {
    auto const real = [&] {
        return call_lio_listio.next<int (*)(int, aiocb* const*, int, sigevent*)>()(mode, requests, count, event);
    };
    if (!recording()) [[unlikely]] {
        begin_process();
        return real();
    }
    Recording recording(call_lio_listio);
    for (int i = 0; i < count; ++i) {
        if (requests[i] != nullptr && requests[i]->aio_lio_opcode != LIO_NOP) {
            record_listed(*requests[i]);
        }
    }
    auto const result = real();
    recording.end(0, -1, 0, outcome(result));
    return result;
}

WEIR_CALL(POSIX, aio_return, wait);
WEIR_EXPORT ssize_t aio_return(aiocb* request) noexcept {
    auto const place = [&](OpenFile&, int64_t) { return int64_t{request->aio_offset}; };
    return on_descriptor(call_aio_return, request->aio_fildes, request->aio_nbytes, place,
                         [&] { return call_aio_return.next<decltype(&aio_return)>()(request); });
}

WEIR_CALL(POSIX, aio_suspend, wait);
WEIR_EXPORT int aio_suspend(aiocb const* const* requests, int count, timespec const* time) {
    auto const real = [&] {
        return call_aio_suspend.next<int (*)(aiocb const* const*, int, timespec const*)>()(requests, count, time);
    };
    if (!recording()) [[unlikely]] {
        begin_process();
        return real();
    }
    Recording recording(call_aio_suspend);
    auto const result = real();
    recording.end(0, -1, 0, outcome(result));
    return result;
}

WEIR_SAME(int, aio_read64, (aiocb64*) noexcept, aio_read)
WEIR_SAME(int, aio_write64, (aiocb64*) noexcept, aio_write)
WEIR_SAME(int, aio_fsync64, (int, aiocb64*) noexcept, aio_fsync)
WEIR_SAME(int, lio_listio64, (int, aiocb64* const*, int, sigevent*) noexcept, lio_listio)
WEIR_SAME(ssize_t, aio_return64, (aiocb64*) noexcept, aio_return)
WEIR_SAME(int, aio_suspend64, (aiocb64 const* const*, int, timespec const*), aio_suspend)
