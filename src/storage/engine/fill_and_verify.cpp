#include "storage/engine/fill_and_verify.hpp"

#include <algorithm>
#include <cstring>

#include "core/random.hpp"

namespace weir {

void Contents::fill_pieces(std::span<Piece const> pieces, std::span<std::byte> data) {
    for (auto const& piece : pieces) {
        fill({piece.offset, piece.length, 0}, data.first(piece.length));
        data = data.subspan(piece.length);
    }
}

void Contents::take_pieces(std::span<Piece const> pieces, std::span<std::byte const> found) {
    for (auto const& piece : pieces) {
        auto const there = std::min<std::size_t>(piece.length, found.size());
        take({piece.offset, piece.length, 0}, found.first(there));
        found = found.subspan(there);
    }
}

void SourcedContents::fill_pieces(std::span<Piece const> pieces, std::span<std::byte> data) {
    asked_.access.part ? fill({asked_.access.part->what.offset.value_or(0), data.size(), 0}, data)
                       : Contents::fill_pieces(pieces, data);
}

void SourcedContents::take_pieces(std::span<Piece const> pieces, std::span<std::byte const> found) {
    asked_.access.part ? take({asked_.access.part->what.offset.value_or(0), found.size(), 0}, found)
                       : Contents::take_pieces(pieces, found);
}

void StampedContents::take(Operation const& operation, std::span<std::byte const> found) {
    constexpr std::uint64_t word = 8;
    auto const end = operation.offset + operation.length;
    // If the file ends within a word, that word is missing.
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

void StampedRequests::take(Operation const& operation, std::span<std::byte const> found) {
    WrongWords words;
    if (operation.length == 0) {
        return;
    }
    words.checked = operation.length / sizeof(words.found);
    words.file = file_;
    words.placed = false;
    words.unmatched = -mix(operation.offset);
    if (found.size() >= sizeof(words.found)) {
        std::memcpy(&words.found, found.data(), sizeof(words.found));
    }
    auto const index = stamp_.index_of(words.found);
    auto const offset = index * sizeof(words.found);
    auto const is_one = found.size() == operation.length && index < end_ / sizeof(words.found) && offset >= first_ &&
                        (offset - first_) % operation.length == 0;
    if (is_one) {
        auto const differences = stamp_.compare(found, offset);
        words.wrong = differences.wrong;
        words.found = differences.found;
        words.expected = stamp_.word(differences.first_index);
        words.unmatched += mix(offset);
    } else {
        words.wrong = words.checked;
        words.missing = words.checked - found.size() / sizeof(words.found);
        words.first_is_missing = words.missing == words.checked;
    }
    words_.add(words);
}

}  // namespace weir
