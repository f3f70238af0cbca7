#include "storage/backends/twophase/request_shape.hpp"

#include <algorithm>

namespace weir {
namespace {

std::uint64_t end_of(Piece const& piece) { return piece.offset + piece.length; }

}  // namespace

RequestShape::RequestShape(std::span<Piece const> pieces, std::uint64_t base) : pieces_(pieces.begin(), pieces.end()) {
    for (auto& piece : pieces_) {
        piece.offset -= base;
    }
}

std::optional<std::uint64_t> RequestShape::base_of(std::span<Piece const> pieces) const {
    if (pieces.empty() || pieces.size() != pieces_.size() || pieces.front().offset < pieces_.front().offset) {
        return std::nullopt;
    }
    auto const base = pieces.front().offset - pieces_.front().offset;
    auto const alike = std::ranges::equal(pieces, pieces_, [base](Piece const& asked, Piece const& mine) {
        return asked.offset == base + mine.offset && asked.length == mine.length;
    });
    return alike ? std::optional(base) : std::nullopt;
}

std::vector<Piece> outline(std::span<Piece const> pieces, std::uint64_t gap, std::uint64_t most) {
    std::vector<Piece> rough;
    if (pieces.empty()) {
        return rough;
    }
    // Fewer than `most` gaps are longer than an equal share of the complete range.
    gap = std::max(gap, (end_of(pieces.back()) - pieces.front().offset) / most + 1);
    for (auto const& piece : pieces) {
        if (!rough.empty() && piece.offset < end_of(rough.back()) + gap) {
            rough.back().length = end_of(piece) - rough.back().offset;
        } else {
            rough.push_back(piece);
        }
    }
    return rough;
}

std::size_t bytes_before(std::span<Piece const> pieces, std::uint64_t end) {
    std::uint64_t sum = 0;
    for (auto const& piece : pieces) {
        sum += std::min(piece.length, std::max(end, piece.offset) - piece.offset);
    }
    return sum;
}

std::vector<Piece> united(std::vector<Piece> pieces) {
    std::ranges::sort(pieces, {}, &Piece::offset);
    std::vector<Piece> all;
    for (auto const& piece : pieces) {
        if (!all.empty() && piece.offset <= end_of(all.back())) {
            all.back().length = std::max(end_of(all.back()), end_of(piece)) - all.back().offset;
        } else {
            all.push_back(piece);
        }
    }
    return all;
}

array::Region region_of(std::span<Piece const> pieces, std::uint64_t base) {
    std::vector<Section> sections;
    for (auto const& piece : pieces) {
        Section section;
        auto const first = piece.offset - base;
        section.dim[0] = {first + piece.length, first, piece.length, piece.length, piece.length, 1};
        sections.push_back(section);
    }
    return array::Region(sections);
}

}  // namespace weir
