#pragma once

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "array/layout/share.hpp"

namespace weir::testing {

/// One byte that a rank holds: where it lies in the file's order, and in the local array.
struct Byte {
    std::uint64_t position = 0;
    std::int64_t memory = 0;
    bool operator==(Byte const&) const = default;
};

inline std::uint64_t random_below(std::mt19937_64& random, std::uint64_t n) { return random() % n; }

/// Whole, a block, or one rank's part of a cyclic distribution, whose last block may be short; it may be empty.
inline Dim random_dim(std::mt19937_64& random, std::uint64_t extent, bool may_be_empty) {
    Dim dim{extent, 0, extent, extent, extent, 0};
    switch (random_below(random, 3)) {
        case 0:
            break;
        case 1: {
            dim.first = random_below(random, extent);
            dim.owned = (may_be_empty ? 0 : 1) + random_below(random, extent - dim.first + (may_be_empty ? 1 : 0));
            dim.block = dim.stride = std::max<std::uint64_t>(dim.owned, 1);
            break;
        }
        default: {
            dim.block = 1 + random_below(random, extent);
            auto const ranks = 1 + random_below(random, 3);
            dim.stride = dim.block * ranks;
            dim.first = std::min(extent - (may_be_empty ? 0 : 1), dim.block * random_below(random, ranks));
            dim.owned = 0;
            for (auto i = dim.first; i < extent; ++i) {
                dim.owned += (i - dim.first) % dim.stride < dim.block ? 1 : 0;
            }
        }
    }
    return dim;
}

/// Of up to 8 dimensions and about a thousand bytes; `extents` of an earlier one are kept where they are not empty.
inline Section random_section(std::mt19937_64& random, std::vector<std::uint64_t> extents = {},
                              bool may_be_empty = true) {
    if (extents.empty()) {
        std::uint64_t room = 1000;
        auto const dims = 1 + random_below(random, Section::max_dims);
        for (std::uint64_t k = 0; k < dims; ++k) {
            extents.push_back(1 + random_below(random, std::min<std::uint64_t>(room, dims < 3 ? 40 : 6)));
            room /= extents.back();
        }
    }
    Section section;
    section.dims = extents.size();
    section.origin = random_below(random, 100);
    section.memory = static_cast<std::int64_t>(random_below(random, 50));
    for (std::size_t k = 0; k < extents.size(); ++k) {
        section.dim[k] = random_dim(random, extents[k], may_be_empty);
    }
    // Memory: the bytes of an element together, the other dimensions in any order, with or without gaps (ghosts).
    std::vector<std::size_t> order(extents.size() - 1);
    std::iota(order.begin(), order.end(), 0);
    if (random_below(random, 2) == 0) {
        std::ranges::shuffle(order, random);
    } else {
        std::ranges::reverse(order);
    }
    auto& fastest = section.dim[section.dims - 1];
    fastest.memory_stride = 1;
    auto stride = static_cast<std::int64_t>(fastest.owned);
    auto const gaps = random_below(random, 2);
    for (auto const k : order) {
        section.dim[k].memory_stride = stride;
        stride *= static_cast<std::int64_t>(section.dim[k].owned + random_below(random, 1 + gaps));
    }
    return section;
}

inline std::vector<std::uint64_t> extents_of(Section const& section) {
    std::vector<std::uint64_t> extents;
    for (auto const& d : section.all()) {
        extents.push_back(d.extent);
    }
    return extents;
}

/// All places along one dimension that it holds, the slow way.
inline std::vector<std::uint64_t> places_of(Dim const& dim) {
    std::vector<std::uint64_t> places;
    for (auto i = dim.first; i < dim.extent && places.size() < dim.owned; ++i) {
        if ((i - dim.first) % dim.stride < dim.block) {
            places.push_back(i);
        }
    }
    return places;
}

/// All bytes of a section in the file's order, the slow way.
inline std::vector<Byte> bytes_of(Section const& section) {
    std::vector<Byte> bytes{{0, section.memory}};
    for (auto const& dim : section.all()) {
        auto const places = places_of(dim);
        std::vector<Byte> next;
        for (auto const& byte : bytes) {
            for (std::size_t i = 0; i < places.size(); ++i) {
                next.push_back({byte.position * dim.extent + places[i],
                                byte.memory + static_cast<std::int64_t>(i) * dim.memory_stride});
            }
        }
        bytes = next;
    }
    for (auto& byte : bytes) {
        byte.position += section.origin;
    }
    return bytes;
}

/// The bytes of rows, one after the other.
inline void append(std::vector<Byte>& bytes, Rows const& rows) {
    for (std::uint64_t row = 0; row < rows.rows; ++row) {
        for (std::uint64_t i = 0; i < rows.length; ++i) {
            bytes.push_back(
                {rows.position + row * rows.position_step + i,
                 rows.memory + static_cast<std::int64_t>(row) * rows.memory_step + static_cast<std::int64_t>(i)});
        }
    }
}

/// What each(from, to) of a section, a list of pieces or a part goes through.
template <class Kind>
std::vector<Byte> visited(Kind const& kind, std::uint64_t from, std::uint64_t to) {
    std::vector<Byte> bytes;
    kind.each(from, to, [&](Rows const& rows) { append(bytes, rows); });
    return bytes;
}

/// Pieces that do not overlap, in any order, some of which touch; each dense after the one before it in memory, as the
/// users' lists are, in the order that they are given in.
inline std::vector<array::LocalPiece> random_pieces(std::mt19937_64& random, std::uint64_t from, std::uint64_t to) {
    std::vector<array::LocalPiece> pieces;
    for (auto at = from + random_below(random, 4); at < to;) {
        auto const length = std::min(to - at, random_below(random, 7));
        pieces.push_back({at, length, 0});
        at += length + random_below(random, 2) * random_below(random, 9) + (length == 0 ? 1 : 0);
    }
    if (random_below(random, 2) == 0) {
        std::ranges::shuffle(pieces, random);
    }
    std::int64_t memory = 0;
    for (auto& piece : pieces) {
        piece.memory = memory;
        memory += static_cast<std::int64_t>(piece.length);
    }
    return pieces;
}

inline std::vector<Byte> bytes_of(std::vector<array::LocalPiece> const& pieces) {
    std::vector<Byte> bytes;
    for (auto const& piece : pieces) {
        append(bytes, {piece.position, piece.memory, piece.length, 1, 0, 0});
    }
    std::ranges::sort(bytes, {}, &Byte::position);
    return bytes;
}

}  // namespace weir::testing
