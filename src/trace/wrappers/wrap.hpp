#pragma once

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <sys/uio.h>

#include "trace/recorder/confinement.hpp"
#include "trace/recorder/coverage.hpp"
#include "trace/recorder/data_memory.hpp"
#include "trace/recorder/file_paths.hpp"
#include "trace/recorder/open_files.hpp"
#include "trace/recorder/recorder.hpp"

namespace weir::trace {

/// A function's result as recorded: negative errno if it failed.
inline int64_t outcome(int64_t result) { return result < 0 ? -int64_t{errno} : result; }

/// The buffers of a vectored call. They are readable only if it has succeeded; the length of a failed one is 0.
struct VectoredBuffers {
    iovec const* first;
    int count;
};

/// The buffer of a call.
struct Data {
    void const* first;
    uint64_t bytes;
};

inline uint64_t length_of(uint64_t bytes, int64_t) { return bytes; }
inline uint64_t length_of(Data const& data, int64_t) { return data.bytes; }
inline uint64_t length_of(VectoredBuffers const& pieces, int64_t result) {
    uint64_t sum = 0;
    for (int i = 0; result >= 0 && i < pieces.count; ++i) {
        sum += pieces.first[i].iov_len;
    }
    return sum;
}

/// Where the data of a call that moved some lie, if it says so.
inline void note_memory(uint64_t) {}
inline void note_memory(Data const& data) { posix_memory.note(data.first, data.bytes); }
inline void note_memory(VectoredBuffers const& pieces) {
    for (int i = 0; i < pieces.count; ++i) {
        if (pieces.first[i].iov_len > 0) {
            posix_memory.note(pieces.first[i].iov_base, pieces.first[i].iov_len);
        }
    }
}

/// Calls the real function if nothing is recorded now.
template <class Real>
auto bypass_recorder(Real real) {
    begin_process();
    return real();
}

/// The same, and counts the call if calls that bypass the recorder are counted. `what`: its descriptor, or name.
template <class What, class Real>
auto bypass_recorder(Call& call, What what, Real real) {
    begin_process();
    auto const result = real();
    if (counts_bypassed()) {
        count_bypassed(call, what, static_cast<int64_t>(result));
    }
    return result;
}

/// Calls the real function, and records it if the descriptor's file is recorded. `place` gives the offset, after the
/// call, from the file and the result.
template <class Bytes, class Place, class Real>
auto on_descriptor(Call& call, int descriptor, Bytes bytes, Place place, Real real) {
    if (!recording()) [[unlikely]] {
        return bypass_recorder(call, descriptor, real);
    }
    auto* const file = file_of(descriptor);
    if (file == nullptr) {
        auto const result = real();
        count_unrecorded_bytes(call.direction(), static_cast<int64_t>(result));
        return result;
    }
    auto const name = file->name;  // read now: another thread may close it meanwhile
    Recording recording(call);
    auto const result = real();
    auto const now = ticks();
    auto const value = outcome(static_cast<int64_t>(result));
    recording.end_at(now, name, place(*file, result), length_of(bytes, value), value);
    if (value > 0) {
        note_memory(bytes);
    }
    return result;
}

/// For a call with an explicit offset.
inline auto at(int64_t offset) {
    return [offset](OpenDescription&, int64_t) { return offset; };
}

/// The same for a write: on a file that appends, Linux ignores the offset (pwrite(2), BUGS).
inline auto write_at(int descriptor, int64_t offset) {
    return [descriptor, offset](OpenDescription& file, int64_t result) {
        return file.appends ? place_of_append(descriptor, result, offset) : offset;
    };
}

/// For a call at the file's own position.
inline auto at_position(int descriptor) {
    return [descriptor](OpenDescription& file, int64_t result) { return advance_position(file, descriptor, result); };
}

/// The same for a function that returns errno.
template <class Real>
int on_descriptor_with_error(Call& call, int descriptor, uint64_t bytes, int64_t offset, Real real) {
    if (!recording()) [[unlikely]] {
        return bypass_recorder(call, descriptor, real);
    }
    auto* const file = file_of(descriptor);
    if (file == nullptr) {
        return real();
    }
    auto const name = file->name;
    Recording recording(call);
    auto const error = real();
    recording.end(name, offset, bytes, -int64_t{error});
    return error;
}

/// For a call without an offset.
constexpr auto nowhere = [](OpenDescription&, int64_t) { return int64_t{-1}; };

/// A void function as one that returns 0.
template <class Real>
auto zero_after(Real real) {
    return [real] {
        real();
        return 0;
    };
}

/// Calls the real function, and records it without a file.
template <class Real>
auto without_file(Call& call, uint64_t bytes, Real real) {
    if (!recording()) [[unlikely]] {
        return bypass_recorder(real);
    }
    Recording recording(call);
    auto const result = real();
    recording.end(0, -1, bytes, outcome(result));
    return result;
}

/// Calls the real function, and records it with the file of this name, if that is recorded. The name is read after the
/// call: the kernel checks whether it is valid.
template <class Real>
auto on_name(Call& call, int directory, char const* path, Real real, uint64_t bytes = 0, int flags = 0) {
    if (!recording()) [[unlikely]] {
        return bypass_recorder(call, path, real);
    }
    Recording recording(call);
    auto const result = real();
    auto const now = ticks();
    auto const value = outcome(static_cast<int64_t>(result));
    auto const file = file_asked_for(directory, path, flags, value);
    file != 0 ? recording.end_at(now, file, -1, bytes, value) : recording.forget();
    return result;
}

inline int descriptor_of(int descriptor) { return descriptor; }
inline int descriptor_of(DIR* directory) { return directory == nullptr ? -1 : dirfd(directory); }
inline int descriptor_of(FILE* stream) { return stream == nullptr ? -1 : fileno(stream); }

/// Opens, records it, and remembers what the descriptor refers to. A failed open is recorded under the requested name.
/// `real` gives a descriptor, or what descriptor_of() converts to one; -1: it failed.
template <class Real>
auto opening(Call& call, int directory, char const* path, int flags, Real real) {
    if (!recording()) [[unlikely]] {
        begin_process();
        auto const result = real();
        if (counts_bypassed()) {
            count_bypassed(call, path, descriptor_of(result));
        }
        return result;
    }
    Recording recording(call);
    auto const result = real();
    auto const now = ticks();
    auto const descriptor = descriptor_of(result);
    auto const length = static_cast<unsigned>(flags);
    if (descriptor < 0) {
        auto const error = outcome(-1);
        auto const file = file_asked_for(directory, path, 0, error);
        file != 0 ? recording.end_at(now, file, -1, length, error) : recording.forget();
        return result;
    }
    auto const* const file = opened(descriptor, directory, path, flags);
    file != nullptr ? recording.end_at(now, file->name, -1, length, descriptor) : recording.forget();
    return result;
}

/// Closes a descriptor, and records it if its file is recorded.
template <class Real>
int closing(Call& call, int descriptor, Real real) {
    if (!recording()) [[unlikely]] {
        return bypass_recorder(real);
    }
    auto const* const file = descriptor < 0 ? nullptr : file_of(descriptor);
    auto const name = file == nullptr ? 0 : file->name;
    closed(descriptor);  // before: once it is closed, another thread may open the same number
    if (name == 0) {
        return real();
    }
    Recording recording(call);
    auto const result = real();
    recording.end(name, -1, 0, outcome(result));
    return result;
}

}  // namespace weir::trace

/// The usual wrapper of a function, which is declared as a call. The last argument is an expression of `call`, and of
/// `real`, which calls the real function. The parameters are followed by noexcept if the C library's are.
#define WEIR_WRAP(interface, name, kind, result, parameters, arguments, ...)           \
    WEIR_CALL(interface, name, kind);                                                  \
    WEIR_EXPORT result name parameters {                                               \
        auto& call = call_##name;                                                      \
        auto const real = [&] { return call.next<result(*) parameters>() arguments; }; \
        return __VA_ARGS__;                                                            \
    }
