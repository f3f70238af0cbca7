// Rings of requests, as liburing and libaio set them up. What goes through them is seen by nobody: it is said that they
// are there.

#include "trace/recorder/rings.hpp"

#include <errno.h>

#include "trace/recorder/recorder.hpp"

using namespace weir::trace;

#define WEIR_RING(kind, name, parameters, arguments)                    \
    static constinit Call next_##name{"POSIX", #name, "other"};         \
    WEIR_EXPORT int name parameters {                                   \
        auto* const next = next_##name.next<int(*) parameters>();       \
        auto const result = next == nullptr ? -ENOSYS : next arguments; \
        if (result >= 0) {                                              \
            tell_ring(kind);                                            \
        }                                                               \
        return result;                                                  \
    }

WEIR_RING("io_uring", io_uring_setup, (unsigned entries, void* settings), (entries, settings))
WEIR_RING("io_uring", io_uring_queue_init, (unsigned entries, void* ring, unsigned flags), (entries, ring, flags))
WEIR_RING("io_uring", io_uring_queue_init_params, (unsigned entries, void* ring, void* settings),
          (entries, ring, settings))
WEIR_RING("io_uring", io_uring_queue_init_mem,
          (unsigned entries, void* ring, void* settings, void* memory, unsigned long bytes),
          (entries, ring, settings, memory, bytes))
WEIR_RING("libaio", io_setup, (int requests, void* context), (requests, context))
WEIR_RING("libaio", io_queue_init, (int requests, void* context), (requests, context))
