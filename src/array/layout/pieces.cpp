#include "array/layout/pieces.hpp"

#include <array>
#include <cstring>
#include <limits>

namespace weir::array {

void Numbers::reserve(std::size_t count) {
    if (narrow_) {
        narrows_.reserve(count);
    } else {
        wides_.reserve(count);
    }
}

std::size_t Numbers::lower_bound(std::uint64_t value) const {
    return static_cast<std::size_t>(narrow_ ? std::ranges::lower_bound(narrows_, value) - narrows_.begin()
                                            : std::ranges::lower_bound(wides_, value) - wides_.begin());
}

std::size_t Numbers::upper_bound(std::uint64_t value) const {
    return static_cast<std::size_t>(narrow_ ? std::ranges::upper_bound(narrows_, value) - narrows_.begin()
                                            : std::ranges::upper_bound(wides_, value) - wides_.begin());
}

namespace {

void append(std::vector<std::byte>& bytes, void const* from, std::size_t length) {
    auto const* first = static_cast<std::byte const*>(from);
    bytes.insert(bytes.end(), first, first + length);
}

template <class T>
void take(std::span<std::byte const>& bytes, T* to, std::size_t count) {
    if (count > 0) {
        std::memcpy(static_cast<void*>(to), bytes.data(), count * sizeof(T));
        bytes = bytes.subspan(count * sizeof(T));
    }
}

/// Each less `base`, as T.
template <class T, class From>
void append_less(std::vector<std::byte>& bytes, std::span<From const> numbers, std::uint64_t base) {
    auto const begin = bytes.size();
    bytes.resize(begin + numbers.size() * sizeof(T));
    auto* to = bytes.data() + begin;
    for (auto const number : numbers) {
        auto const less = static_cast<T>(number - base);
        std::memcpy(to, &less, sizeof less);
        to += sizeof less;
    }
}

}  // namespace

void Numbers::append_to(std::vector<std::byte>& bytes, std::size_t from, std::size_t to, std::uint64_t base) const {
    if (from == to) {
        return;
    }
    bool const fit = width((*this)[to - 1] - base) == sizeof(std::uint32_t);
    if (narrow_) {
        append_less<std::uint32_t>(bytes, std::span(narrows_).subspan(from, to - from), base);
    } else if (fit) {
        append_less<std::uint32_t>(bytes, std::span(wides_).subspan(from, to - from), base);
    } else {
        append_less<std::uint64_t>(bytes, std::span(wides_).subspan(from, to - from), base);
    }
}

Numbers Numbers::taken_from(std::span<std::byte const>& bytes, std::uint64_t greatest, std::size_t count) {
    Numbers numbers(greatest);
    if (numbers.narrow_) {
        numbers.narrows_.resize(count);
        take(bytes, numbers.narrows_.data(), count);
    } else {
        numbers.wides_.resize(count);
        take(bytes, numbers.wides_.data(), count);
    }
    return numbers;
}

std::uint64_t Numbers::memory_bytes() const {
    return narrows_.capacity() * sizeof(std::uint32_t) + wides_.capacity() * sizeof(std::uint64_t);
}

namespace {

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15U;
    return hash ^ (hash >> 29U);
}

/// Several chains at once: each waits for its own multiplication only.
template <class T>
std::uint64_t fingerprint_of(std::vector<T> const& numbers, std::uint64_t seed) {
    std::array<std::uint64_t, 4> chain{seed, seed + 1, seed + 2, seed + 3};
    std::size_t i = 0;
    for (; i + chain.size() <= numbers.size(); i += chain.size()) {
        for (std::size_t c = 0; c < chain.size(); ++c) {
            chain[c] = mixed(chain[c], numbers[i + c]);
        }
    }
    auto hash = mixed(mixed(mixed(chain[0], chain[1]), chain[2]), chain[3]);
    for (; i < numbers.size(); ++i) {
        hash = mixed(hash, numbers[i]);
    }
    return hash;
}

}  // namespace

std::uint64_t Numbers::fingerprint(std::uint64_t seed) const {
    return narrow_ ? fingerprint_of(narrows_, seed) : fingerprint_of(wides_, seed);
}

namespace {

bool goes_on(LocalPiece const& before, LocalPiece const& after) {
    return before.position + before.length == after.position &&
           before.memory + static_cast<std::int64_t>(before.length) == after.memory;
}

/// Sorts, drops empty pieces, and joins adjacent ones.
void put_in_order(std::vector<LocalPiece>& pieces) {
    auto const earlier = [](LocalPiece const& a, LocalPiece const& b) { return a.position < b.position; };
    if (!std::ranges::is_sorted(pieces, earlier)) {
        std::ranges::stable_sort(pieces, earlier);
    }
    std::size_t kept = 0;
    for (auto const& piece : pieces) {
        if (piece.length == 0) {
            continue;
        }
        if (kept > 0 && goes_on(pieces[kept - 1], piece)) {
            pieces[kept - 1].length += piece.length;
        } else {
            pieces[kept++] = piece;
        }
    }
    pieces.resize(kept);
}

}  // namespace

Pieces::Pieces(std::vector<LocalPiece> pieces) { take(std::move(pieces)); }

Pieces::Pieces(std::span<std::int64_t const> offsets, std::int64_t const* lengths) {
    if (take_ordered(offsets, lengths)) {
        return;
    }
    std::vector<LocalPiece> pieces;
    pieces.reserve(offsets.size());
    std::uint64_t memory = 0;
    for (std::size_t i = 0; i < offsets.size(); ++i) {
        auto const length = lengths == nullptr ? 1 : static_cast<std::uint64_t>(lengths[i]);
        pieces.push_back({static_cast<std::uint64_t>(offsets[i]), length, static_cast<std::int64_t>(memory)});
        memory += length;
    }
    take(std::move(pieces));
}

void Pieces::take(std::vector<LocalPiece> pieces) {
    put_in_order(pieces);
    std::uint64_t units = 0;
    std::uint64_t farthest = 0;
    for (auto const& piece : pieces) {
        in_order_ = in_order_ && piece.memory == static_cast<std::int64_t>(units);
        farthest = std::max(farthest, static_cast<std::uint64_t>(piece.memory));
        units += piece.length;
    }
    positions_ = Numbers(pieces.empty() ? 0 : pieces.back().position);
    starts_ = Numbers(units);
    memory_ = Numbers(in_order_ ? 0 : farthest);
    positions_.reserve(pieces.size());
    starts_.reserve(pieces.size() + 1);
    memory_.reserve(in_order_ ? 0 : pieces.size());
    units = 0;
    for (auto const& piece : pieces) {
        positions_.push_back(piece.position);
        starts_.push_back(units);
        if (!in_order_) {
            memory_.push_back(static_cast<std::uint64_t>(piece.memory));
        }
        units += piece.length;
    }
    starts_.push_back(units);
    first_overlap_ = std::min<std::size_t>(1, size());
    while (first_overlap_ < size() &&
           position(first_overlap_ - 1) + length(first_overlap_ - 1) <= position(first_overlap_)) {
        ++first_overlap_;
    }
    fingerprint_ = memory_.fingerprint(starts_.fingerprint(positions_.fingerprint(pieces.size())));
}

namespace {

template <class Positions, class Starts>
void write_ordered(std::span<std::int64_t const> offsets, std::int64_t const* lengths, Positions& positions,
                   Starts& starts) {
    std::int64_t units = 0;
    std::int64_t end = -1;
    for (std::size_t i = 0; i < offsets.size(); ++i) {
        auto const length = lengths == nullptr ? 1 : lengths[i];
        if (length == 0) {
            continue;
        }
        if (offsets[i] != end) {
            positions.push_back(static_cast<typename Positions::value_type>(offsets[i]));
            starts.push_back(static_cast<typename Starts::value_type>(units));
        }
        end = offsets[i] + length;
        units += length;
    }
    starts.push_back(static_cast<typename Starts::value_type>(units));
}

}  // namespace

/// For lists in the file's order without overlap, which need no copy of their own. Returns false for others.
bool Pieces::take_ordered(std::span<std::int64_t const> offsets, std::int64_t const* lengths) {
    std::size_t count = 0;
    std::int64_t units = 0;
    std::int64_t end = -1;
    for (std::size_t i = 0; i < offsets.size(); ++i) {
        auto const length = lengths == nullptr ? 1 : lengths[i];
        if (length > 0 && offsets[i] < end) {
            return false;
        }
        if (length > 0) {
            count += offsets[i] == end ? 0 : 1;
            end = offsets[i] + length;
            units += length;
        }
    }
    positions_ = Numbers(static_cast<std::uint64_t>(std::max<std::int64_t>(end, 0)));
    starts_ = Numbers(static_cast<std::uint64_t>(units));
    positions_.reserve(count);
    starts_.reserve(count + 1);
    positions_.with_vector([&](auto& positions) {
        starts_.with_vector([&](auto& starts) { write_ordered(offsets, lengths, positions, starts); });
    });
    first_overlap_ = count;
    fingerprint_ = memory_.fingerprint(starts_.fingerprint(positions_.fingerprint(count)));
    return true;
}

namespace {

/// Precedes the numbers of a list that is sent.
struct ListHead {
    std::uint64_t pieces = 0;
    std::uint64_t last_position = 0;
    std::uint64_t units = 0;
};

}  // namespace

std::size_t Pieces::sent_bytes(std::size_t from, std::size_t to) const {
    auto const count = to - from;
    return sizeof(ListHead) + (count == 0 ? 0 : count * Numbers::width(position(to - 1))) +
           (count + 1) * Numbers::width(start(to) - start(from));
}

void Pieces::append_to(std::vector<std::byte>& bytes, std::size_t from, std::size_t to) const {
    ListHead const head{to - from, from == to ? 0 : position(to - 1), start(to) - start(from)};
    append(bytes, &head, sizeof head);
    positions_.append_to(bytes, from, to, 0);
    starts_.append_to(bytes, from, to + 1, start(from));
}

Pieces Pieces::taken_from(std::span<std::byte const>& bytes) {
    ListHead head;
    array::take(bytes, &head, 1);
    Pieces pieces;
    pieces.positions_ = Numbers::taken_from(bytes, head.last_position, head.pieces);
    pieces.starts_ = Numbers::taken_from(bytes, head.units, head.pieces + 1);
    return pieces;
}

std::uint64_t Pieces::memory_bytes() const {
    return sizeof *this + positions_.memory_bytes() + starts_.memory_bytes() + memory_.memory_bytes();
}

}  // namespace weir::array
