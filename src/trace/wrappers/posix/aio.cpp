// Asynchronous I/O: reads and writes of POSIX AIO, and the set-up of Linux submission queues.

#include <aio.h>

#include "trace/recorder/process_facts.hpp"
#include "trace/wrappers/wrap.hpp"

using namespace weir::trace;

static_assert(sizeof(aiocb) == sizeof(aiocb64), "the 64-bit twins are the same functions");

namespace {

/// Where a request that is about to be started will read or write: the threads that do so call pwrite().
int64_t place_of(OpenDescription& file, aiocb const& request, bool writes) {
    return writes && file.appends
               ? place_of_started_append(file, request.aio_fildes, request.aio_nbytes, request.aio_offset)
               : int64_t{request.aio_offset};
}

/// Starts a transfer on one file. The result is the requested size; the flag says that it is not complete.
template <class Real>
int starting(Call& call, aiocb* request, bool transfers, bool writes, Real real) {
    if (!recording()) [[unlikely]] {
        return bypass_recorder(real);
    }
    auto* const file = request == nullptr ? nullptr : file_of(request->aio_fildes);
    if (file == nullptr) {
        return real();
    }
    auto const name = file->name;
    auto const bytes = transfers ? request->aio_nbytes : 0;
    auto const offset = transfers ? place_of(*file, *request, writes) : -1;
    Recording recording(call);
    auto const result = real();
    auto const now = ticks();
    recording.end_at(now, name, offset, bytes, result < 0 ? outcome(result) : static_cast<int64_t>(bytes), started);
    return result;
}

}  // namespace

WEIR_WRAP(POSIX, aio_read, read, int, (aiocb * request) noexcept, (request), starting(call, request, true, false, real))
WEIR_WRAP(POSIX, aio_write, write, int, (aiocb * request) noexcept, (request),
          starting(call, request, true, true, real))
WEIR_WRAP(POSIX, aio_fsync, sync, int, (int operation, aiocb* request) noexcept, (operation, request),
          starting(call, request, false, false, real))
WEIR_CALL_NAMED(listed_read, POSIX, lio_listio, read);
WEIR_CALL_NAMED(listed_write, POSIX, lio_listio, write);
WEIR_CALL(POSIX, lio_listio, other);

namespace {

bool transfers(aiocb const* request) {
    return request != nullptr && (request->aio_lio_opcode == LIO_READ || request->aio_lio_opcode == LIO_WRITE);
}

/// The result of a completed request: bytes, or negative errno.
int64_t outcome_of(aiocb const& request) {
    auto const error = aio_error(&request);
    return error != 0 ? -int64_t{error} : request.__return_value;
}

/// In a separate frame, since nested calls are recognised by being deeper on the stack. `begin`: for a completed
/// request, its start time; 0: it starts now.
__attribute__((noinline)) void record_listed(aiocb const& request, uint64_t begin) {
    auto* const file = file_of(request.aio_fildes);
    if (file != nullptr) {
        bool const writes = request.aio_lio_opcode == LIO_WRITE;
        auto const offset = begin == 0                ? place_of(*file, request, writes)
                            : writes && file->appends ? place_behind_started(*file, request.aio_nbytes)
                                                      : int64_t{request.aio_offset};
        Recording recording(request.aio_lio_opcode == LIO_READ ? call_listed_read : call_listed_write, begin);
        auto const bytes = request.aio_nbytes;
        auto const result = begin != 0 ? outcome_of(request) : static_cast<int64_t>(bytes);
        recording.end(file->name, offset, bytes, result, begin != 0 ? 0 : started);
    }
}

/// Before requests that are recorded when they are done: where those that append will begin.
void look_at_ends(aiocb* const* requests, int count) {
    for (int i = 0; i < count; ++i) {
        auto* const file = transfers(requests[i]) ? file_of(requests[i]->aio_fildes) : nullptr;
        if (file != nullptr && requests[i]->aio_lio_opcode == LIO_WRITE && file->appends) {
            place_of_started_append(*file, requests[i]->aio_fildes, 0, requests[i]->aio_offset);
        }
    }
}

}  // namespace

WEIR_EXPORT int lio_listio(int mode, aiocb* const* requests, int count, sigevent* event) noexcept {
    auto const real = [&] {
        return call_lio_listio.next<int (*)(int, aiocb* const*, int, sigevent*)>()(mode, requests, count, event);
    };
    if (!recording()) [[unlikely]] {
        return bypass_recorder(real);
    }
    // A waiting call is recorded when it is done; otherwise requests may be reused by then.
    bool const waits = mode == LIO_WAIT;
    Recording recording(call_lio_listio);
    auto const begin = waits ? ticks() : 0;
    for (int i = 0; i < count && !waits; ++i) {
        if (transfers(requests[i])) {
            record_listed(*requests[i], begin);
        }
    }
    if (waits) {
        look_at_ends(requests, count);
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

WEIR_WRAP(POSIX, aio_return, wait, ssize_t, (aiocb * request) noexcept, (request),
          on_descriptor(
              call, request->aio_fildes, request->aio_nbytes,
              [&](OpenDescription& file, int64_t) { return file.appends ? -1 : int64_t{request->aio_offset}; }, real))
WEIR_WRAP(POSIX, aio_suspend, wait, int, (aiocb const* const* requests, int count, timespec const* time),
          (requests, count, time), without_file(call, 0, real))

WEIR_ALIAS(int, aio_read64, (aiocb64*) noexcept, aio_read)
WEIR_ALIAS(int, aio_write64, (aiocb64*) noexcept, aio_write)
WEIR_ALIAS(int, aio_fsync64, (int, aiocb64*) noexcept, aio_fsync)
WEIR_ALIAS(int, lio_listio64, (int, aiocb64* const*, int, sigevent*) noexcept, lio_listio)
WEIR_ALIAS(ssize_t, aio_return64, (aiocb64*) noexcept, aio_return)
WEIR_ALIAS(int, aio_suspend64, (aiocb64 const* const*, int, timespec const*), aio_suspend)

// Submission queues, set up by liburing or libaio. Their requests are invisible: only their existence is reported.
#define WEIR_QUEUE(kind, name, parameters, arguments)                   \
    static constinit Call next_##name{"POSIX", #name, "other"};         \
    WEIR_EXPORT int name parameters {                                   \
        auto* const next = next_##name.next<int(*) parameters>();       \
        auto const result = next == nullptr ? -ENOSYS : next arguments; \
        if (result >= 0) {                                              \
            report_queue(kind);                                         \
        }                                                               \
        return result;                                                  \
    }

WEIR_QUEUE("io_uring", io_uring_setup, (unsigned entries, void* settings), (entries, settings))
WEIR_QUEUE("io_uring", io_uring_queue_init, (unsigned entries, void* ring, unsigned flags), (entries, ring, flags))
WEIR_QUEUE("io_uring", io_uring_queue_init_params, (unsigned entries, void* ring, void* settings),
           (entries, ring, settings))
WEIR_QUEUE("io_uring", io_uring_queue_init_mem,
           (unsigned entries, void* ring, void* settings, void* memory, unsigned long bytes),
           (entries, ring, settings, memory, bytes))
WEIR_QUEUE("libaio", io_setup, (int requests, void* context), (requests, context))
WEIR_QUEUE("libaio", io_queue_init, (int requests, void* context), (requests, context))
