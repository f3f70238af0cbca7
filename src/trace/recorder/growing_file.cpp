#include "trace/recorder/growing_file.hpp"

#include "trace/recorder/apart.hpp"
#include "trace/recorder/system.hpp"

namespace weir::trace {

/// Null, with errno, where the system refuses.
char* GrowingFile::map(char const* path, int64_t from, int64_t length) {
    auto const descriptor = system::open(path, O_RDWR | O_CREAT);
    if (descriptor < 0) {
        return nullptr;
    }
    auto const missing = from + length - reserved;
    char* place = nullptr;
    if (missing <= 0 || system::reserve(descriptor, reserved, missing)) {
        reserved = missing > 0 ? from + length : reserved;
        place = static_cast<char*>(system::map_file(descriptor, from, static_cast<size_t>(length)));
    }
    auto const error = errno;
    system::close(descriptor);
    if (place == nullptr && reserved == 0) {
        system::remove(path);  // an empty file tells nothing
    }
    errno = error;
    return place;
}

char* GrowingFile::move(char const* path, int64_t position, int64_t bytes) {
    constexpr int64_t page = 4096;
    auto const from = position / page * page;
    auto const length = (position - from + bytes + page - 1) / page * page;
    char* place = nullptr;
    apart([&] { place = map(path, from, length); });
    if (place == nullptr) {
        return nullptr;
    }
    if (window != nullptr) {
        system::unmap(window, static_cast<size_t>(window_bytes));
    }
    window = place;
    window_from = from;
    window_bytes = length;
    return window + (position - from);
}

void GrowingFile::cut(char const* path, int64_t end) {
    if (window != nullptr) {
        system::unmap(window, static_cast<size_t>(window_bytes));
        window = nullptr;
    }
    if (end < reserved && system::truncate(path, end)) {
        reserved = end;
    }
}

}  // namespace weir::trace
