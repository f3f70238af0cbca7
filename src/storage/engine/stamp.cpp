#include "storage/engine/stamp.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/random.hpp"

namespace weir {
namespace {

constexpr std::size_t word_bytes = 8;
constexpr std::size_t lanes = 8;  ///< words per step: enough for the compiler to use vector registers
using Lanes = std::array<std::uint64_t, lanes>;

/// A buffer as the rest of a word, complete words, and the beginning of one; all in one word: a head only.
template <class Byte>
std::array<std::span<Byte>, 3> parts_of(std::span<Byte> buffer, std::uint64_t offset) {
    auto const missing = (word_bytes - offset % word_bytes) % word_bytes;
    auto const head = std::min<std::size_t>(missing, buffer.size());
    auto const rest = buffer.subspan(head);
    auto const whole = rest.size() / word_bytes * word_bytes;
    return {buffer.first(head), rest.first(whole), rest.subspan(whole)};
}

/// Copies bytes of a word, from byte `from` on.
void fill_part(std::uint64_t word, std::uint64_t from, std::span<std::byte> part) {
    if (!part.empty()) {
        std::memcpy(part.data(), std::as_bytes(std::span(&word, 1)).subspan(from).data(), part.size());
    }
}

}  // namespace

Stamp::Stamp(std::uint64_t seed, std::uint64_t file) : key_(mix(seed ^ mix(file))) {}

void Stamp::fill(std::span<std::byte> buffer, std::uint64_t offset) const {
    auto const [head, words, tail] = parts_of(buffer, offset);
    fill_part(word(offset / word_bytes), offset % word_bytes, head);
    fill_words(words, (offset + head.size()) / word_bytes);
    fill_part(word((offset + buffer.size()) / word_bytes), 0, tail);
}

void Stamp::fill_words(std::span<std::byte> buffer, std::uint64_t first) const {
    auto const words = buffer.size() / word_bytes;
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

Stamp::WrongWordsFound Stamp::compare(std::span<std::byte const> buffer, std::uint64_t offset) const {
    auto const [head, words, tail] = parts_of(buffer, offset);
    WrongWordsFound result;
    compare_part(head, offset, result);
    compare_words(words, (offset + head.size()) / word_bytes, result);
    compare_part(tail, offset + buffer.size() - tail.size(), result);
    return result;
}

void Stamp::compare_words(std::span<std::byte const> buffer, std::uint64_t first, WrongWordsFound& result) const {
    auto const words = buffer.size() / word_bytes;
    std::uint64_t any = 0;
    for (std::size_t i = 0; i < words; ++i) {
        std::uint64_t found = 0;
        std::memcpy(&found, buffer.data() + i * word_bytes, word_bytes);
        any |= found ^ word(first + i);
    }
    for (std::size_t i = 0; any != 0 && i < words; ++i) {
        std::uint64_t found = 0;
        std::memcpy(&found, buffer.data() + i * word_bytes, word_bytes);
        if (found != word(first + i)) {
            result.note(first + i, found);
        }
    }
}

/// Compares bytes of one word.
void Stamp::compare_part(std::span<std::byte const> part, std::uint64_t offset, WrongWordsFound& result) const {
    auto const expected = word(offset / word_bytes);
    auto found = expected;
    std::ranges::copy(
        part, std::as_writable_bytes(std::span(&found, 1)).begin() + static_cast<std::ptrdiff_t>(offset % word_bytes));
    if (found != expected) {
        result.note(offset / word_bytes, found);
    }
}

}  // namespace weir
