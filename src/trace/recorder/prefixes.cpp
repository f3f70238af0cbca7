#include "trace/recorder/prefixes.hpp"

#include <string.h>

namespace weir::trace {

void Prefixes::read(char const* list) {
    bytes_ = 0;
    while (list != nullptr && *list != 0) {
        auto const length = strcspn(list, ":");
        if (length > 0 && bytes_ + 2 + length <= room) {
            auto const word = static_cast<uint16_t>(length);
            memcpy(texts_ + bytes_, &word, sizeof word);
            memcpy(texts_ + bytes_ + 2, list, length);
            bytes_ += 2 + length;
        }
        list += length + (list[length] == ':' ? 1 : 0);
    }
}

template <class Matches>
bool Prefixes::any(Matches matches) const {
    for (size_t at = 0; at < bytes_;) {
        uint16_t length = 0;
        memcpy(&length, texts_ + at, sizeof length);
        if (matches(texts_ + at + 2, size_t{length})) {
            return true;
        }
        at += 2 + size_t{length};
    }
    return false;
}

bool Prefixes::begin(char const* path) const {
    // The second character tells most of them apart: the first is a slash.
    auto const second = path[0] == 0 ? char{0} : path[1];
    return any([&](char const* text, size_t length) {
        return (length < 2 || text[1] == second) && strncmp(path, text, length) == 0;
    });
}

bool Prefixes::begin_below(char const* folder, size_t length) const {
    return any([&](char const* text, size_t own) { return own > length && memcmp(text, folder, length) == 0; });
}

}  // namespace weir::trace
