#include "storage/contents.hpp"

#include <algorithm>

namespace weir {

void StampedContents::take(Operation const& operation, std::span<std::byte const> found) {
    constexpr std::uint64_t word = 8;
    auto const end = operation.offset + operation.length;
    // Where the file ends early, a word of which a part is there is missing.
    auto const there = found.size() == operation.length ? end : (operation.offset + found.size()) / word * word;
    auto const present = found.first(std::max(there, operation.offset) - operation.offset);
    auto const differences = stamp_.compare(present, operation.offset);
    auto const words_before = [](std::uint64_t place) { return (place + word - 1) / word; };
    WrongWords words;
    words.checked = words_before(end) - operation.offset / word;
    words.missing = words_before(end) - std::max(words_before(there), operation.offset / word);
    words.wrong = differences.wrong + words.missing;
    words.file = file_;
    words.owner = owner_.value;
    words.first_is_missing = differences.wrong == 0;
    auto const first = differences.wrong > 0 ? differences.first_index : std::max(there, operation.offset) / word;
    words.offset = first * word;
    words.expected = stamp_.word(first);
    words.found = differences.wrong > 0 ? differences.found : 0;
    words_.add(words);
}

}  // namespace weir
