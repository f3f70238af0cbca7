#pragma once

#include <errno.h>
#include <sys/uio.h>

#include "trace/recorder/confinement.hpp"
#include "trace/recorder/files.hpp"
#include "trace/recorder/moved.hpp"
#include "trace/recorder/recorder.hpp"

namespace weir::trace {

/// A function's result as records have it: minus the error number where it is negative.
inline int64_t outcome(int64_t result) { return result < 0 ? -int64_t{errno} : result; }

/// Parts of memory that a call moves at once. They may be read only when it has succeeded; of one that has failed, the
/// length is 0.
struct Pieces {
    iovec const* first;
    int count;
};

inline uint64_t length_of(uint64_t bytes, int64_t) { return bytes; }
inline uint64_t length_of(Pieces const& pieces, int64_t result) {
    uint64_t sum = 0;
    for (int i = 0; result >= 0 && i < pieces.count; ++i) {
        sum += pieces.first[i].iov_len;
    }
    return sum;
}

/// Calls the real function where calls are not recorded now. `what`: its descriptor, or name.
template <class What, class Real>
auto past(Call& call, What what, Real real) {
    begin_process();
    auto const result = real();
    if (counts_passing()) {
        count_passed(call, what, static_cast<int64_t>(result));
    }
    return result;
}

/// Calls the real function, and records it where the descriptor's file is recorded. `place` gives the offset, after the
/// call, from the file and the result.
template <class Bytes, class Place, class Real>
auto on_descriptor(Call& call, int descriptor, Bytes bytes, Place place, Real real) {
    if (!recording()) [[unlikely]] {
        return past(call, descriptor, real);
    }
    auto* const file = file_of(descriptor);
    if (file == nullptr) {
        auto const result = real();
        move_unrecorded(call.way(), static_cast<int64_t>(result));
        return result;
    }
    auto const name = file->name;  // now: another thread may close it meanwhile
    Recording recording(call);
    auto const result = real();
    auto const now = ticks();
    auto const value = outcome(static_cast<int64_t>(result));
    recording.end_at(now, name, place(*file, result), length_of(bytes, value), value);
    return result;
}

/// Of a call that says where it reads or writes.
inline auto at(int64_t offset) {
    return [offset](OpenFile&, int64_t) { return offset; };
}

/// Of a call at the file's own position.
inline auto at_position(int descriptor) {
    return [descriptor](OpenFile& file, int64_t result) { return moved(file, descriptor, result); };
}

/// The same for a function that returns the error's number.
template <class Real>
int on_descriptor_with_error(Call& call, int descriptor, uint64_t bytes, int64_t offset, Real real) {
    if (!recording()) [[unlikely]] {
        return past(call, descriptor, real);
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

/// Of a call that has no place in its file.
constexpr auto nowhere = [](OpenFile&, int64_t) { return int64_t{-1}; };

/// Calls the real function, and records it with the file of this name, where that is recorded. The name is read after
/// the call: whether it is one, the kernel finds out.
template <class Real>
auto on_name(Call& call, int directory, char const* path, Real real, uint64_t bytes = 0, int flags = 0) {
    if (!recording()) [[unlikely]] {
        return past(call, path, real);
    }
    Recording recording(call);
    auto const result = real();
    auto const now = ticks();
    auto const value = outcome(static_cast<int64_t>(result));
    auto const file = file_asked_for(directory, path, flags, value);
    file != 0 ? recording.end_at(now, file, -1, bytes, value) : recording.forget();
    return result;
}

}  // namespace weir::trace
