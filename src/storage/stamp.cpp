#include "storage/stamp.hpp"

#include <array>
#include <cstring>

#include "core/error.hpp"
#include "core/random.hpp"

namespace weir {
namespace {

constexpr std::size_t word_bytes = 8;
constexpr std::size_t lanes = 8;  ///< words made at once: enough for the compiler to use vector registers
using Lanes = std::array<std::uint64_t, lanes>;

}  // namespace

Stamp::Stamp(std::uint64_t seed, std::uint64_t file) : key_(mix(seed ^ mix(file))) {}

void Stamp::fill(std::span<std::byte> buffer, std::uint64_t offset) const {
    expect(offset % word_bytes == 0 && buffer.size() % word_bytes == 0, "stamps are whole words");
    auto const words = buffer.size() / word_bytes;
    auto const first = offset / word_bytes;
    Lanes next{};
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        next[lane] = word(first + lane);
    }
    auto* place = buffer.data();
    std::size_t done = 0;
    for (; done + lanes <= words; done += lanes, place += sizeof next) {
        std::memcpy(place, next.data(), sizeof next);
        for (auto& value : next) {
            value += lanes * step;
        }
    }
    std::memcpy(place, next.data(), (words - done) * word_bytes);
}

Stamp::Differences Stamp::compare(std::span<std::byte const> buffer, std::uint64_t offset) const {
    expect(offset % word_bytes == 0 && buffer.size() % word_bytes == 0, "stamps are whole words");
    auto const words = buffer.size() / word_bytes;
    auto const first = offset / word_bytes;
    std::uint64_t any = 0;
    for (std::size_t i = 0; i < words; ++i) {
        std::uint64_t found = 0;
        std::memcpy(&found, buffer.data() + i * word_bytes, word_bytes);
        any |= found ^ word(first + i);
    }
    Differences result;
    for (std::size_t i = 0; any != 0 && i < words; ++i) {
        std::uint64_t found = 0;
        std::memcpy(&found, buffer.data() + i * word_bytes, word_bytes);
        if (found != word(first + i) && result.wrong++ == 0) {
            result.first_index = first + i;
            result.found = found;
        }
    }
    return result;
}

}  // namespace weir
