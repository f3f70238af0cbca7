#pragma once

#include <dirent.h>
#include <stdio.h>

#include "trace/recorder/wrap.hpp"

namespace weir::trace {

inline int descriptor_of(int descriptor) { return descriptor; }
inline int descriptor_of(DIR* directory) { return directory == nullptr ? -1 : dirfd(directory); }
inline int descriptor_of(FILE* stream) { return stream == nullptr ? -1 : fileno(stream); }

/// Opens, records it, and remembers what the descriptor is. One that could not be opened is recorded under the name
/// that was asked for. `real` gives a descriptor, or what descriptor_of() makes one of; -1: it failed.
template <class Real>
auto opening(Call& call, int directory, char const* path, int flags, Real real) {
    if (!recording()) [[unlikely]] {
        begin_process();
        auto const result = real();
        if (counts_passing()) {
            count_passed(call, path, descriptor_of(result));
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

}  // namespace weir::trace
