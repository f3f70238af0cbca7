#pragma once

#include <stdint.h>
#include <string.h>

namespace weir::trace {

/// A hash of a text, eight characters at once: several times as fast as the one by which names are numbered, which is
/// continued from directory to file.
inline uint64_t hash_quickly(char const* text, uint64_t seed) {
    constexpr uint64_t odd = 0x9E3779B97F4A7C15;
    auto const mix = [](uint64_t a, uint64_t b) {
        auto const product = static_cast<unsigned __int128>(a) * b;
        return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
    };
    auto left = strlen(text);
    auto hash = mix(seed ^ odd, left + odd);
    for (; left >= sizeof(uint64_t); left -= sizeof(uint64_t), text += sizeof(uint64_t)) {
        uint64_t word = 0;
        memcpy(&word, text, sizeof word);
        hash = mix(hash ^ word, odd + 2 * left);
    }
    uint64_t rest = 0;
    for (size_t i = 0; i < left; ++i) {
        rest = rest << 8 | static_cast<unsigned char>(text[i]);
    }
    return mix(hash ^ rest, odd);
}

/// The numbers of a thread's latest paths as the program wrote them: most programs ask for the same ones again. A
/// number is valid in one table of names.
class KnownPaths {
  public:
    struct Path {
        uint64_t key;
        uint32_t table;
        uint32_t number;
    };

    Path& place_of(uint64_t key) { return paths_[key % room]; }

  private:
    static constexpr uint64_t room = 256;
    Path paths_[room];
};

}  // namespace weir::trace
