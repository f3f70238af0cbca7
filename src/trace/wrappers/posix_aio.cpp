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

bool transfers(aiocb const* request) {
    return request != nullptr && (request->aio_lio_opcode == LIO_READ || request->aio_lio_opcode == LIO_WRITE);
}

/// What has come of a request that is done: bytes, or minus the error's number.
int64_t outcome_of(aiocb const& request) {
    auto const error = aio_error(&request);
    return error != 0 ? -int64_t{error} : request.__return_value;
}

/// In a frame of its own, since what is inside another call stands deeper on the stack. `begin`: of a request that is
/// done, when it was started; 0: it is started now.
__attribute__((noinline)) void record_listed(aiocb const& request, uint64_t begin) {
    auto const* const file = file_of(request.aio_fildes);
    if (file != nullptr) {
        Recording recording(request.aio_lio_opcode == LIO_READ ? call_listed_read : call_listed_write, begin);
        auto const bytes = request.aio_nbytes;
        auto const result = begin != 0 ? outcome_of(request) : static_cast<int64_t>(bytes);
        recording.end(file->name, request.aio_offset, bytes, result, begin != 0 ? 0 : started);
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
    // What is waited for is recorded when it is done; else it may have been given to others by then.
    bool const waits = mode == LIO_WAIT;
    Recording recording(call_lio_listio);
    auto const begin = waits ? ticks() : 0;
    for (int i = 0; i < count && !waits; ++i) {
        if (transfers(requests[i])) {
            record_listed(*requests[i], begin);
        }
    }
    auto const result = real();
    auto const now = ticks();
    auto const value = outcome(result);
    system::KeepErrno const keep;
    for (int i = 0; i < count && waits; ++i) {
        if (transfers(requests[i]) && aio_error(requests[i]) != EINPROGRESS) {
            record_listed(*requests[i], begin);
        }
    }
    recording.end_at(now, 0, -1, 0, value);
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
