#include "array/piece_list.hpp"

#include <algorithm>

namespace weir::array {
namespace {

bool goes_on(Placed const& before, Placed const& after) {
    return before.position + before.length == after.position &&
           before.memory + static_cast<std::int64_t>(before.length) == after.memory;
}

}  // namespace

PieceList::PieceList(std::vector<Placed> pieces, std::uint64_t array) : array_(array) {
    auto const earlier = [](Placed const& a, Placed const& b) { return a.position < b.position; };
    if (!std::ranges::is_sorted(pieces, earlier)) {
        std::ranges::stable_sort(pieces, earlier);
    }
    for (auto const& piece : pieces) {
        if (piece.length == 0) {
            continue;
        }
        if (!pieces_.empty() && goes_on(pieces_.back(), piece)) {
            pieces_.back().length += piece.length;
        } else {
            pieces_.push_back(piece);
        }
    }
    pieces_.shrink_to_fit();
    starts_.reserve(pieces_.size() + 1);
    starts_.push_back(0);
    for (auto const& piece : pieces_) {
        starts_.push_back(starts_.back() + piece.length);
    }
}

std::uint64_t PieceList::end() const { return pieces_.empty() ? 0 : pieces_.back().position + pieces_.back().length; }

std::uint64_t PieceList::count_before(std::uint64_t position) const {
    auto const it = std::ranges::lower_bound(pieces_, position, {}, &Placed::position);
    auto const i = static_cast<std::size_t>(it - pieces_.begin());
    if (i == 0) {
        return 0;
    }
    auto const& last = pieces_[i - 1];
    return starts_[i - 1] + std::min(last.length, position - last.position);
}

std::size_t PieceList::piece_of(std::uint64_t ordinal) const {
    return static_cast<std::size_t>(std::ranges::upper_bound(starts_, ordinal) - starts_.begin()) - 1;
}

std::vector<Placed> PieceList::within(std::uint64_t from, std::uint64_t to) const {
    std::vector<Placed> cut;
    each(count_before(from), count_before(to), [&](Rows const& r) { cut.push_back({r.position, r.length, r.memory}); });
    return cut;
}

std::uint64_t PieceList::memory_bytes() const {
    return pieces_.capacity() * sizeof(Placed) + starts_.capacity() * sizeof(std::uint64_t);
}

}  // namespace weir::array
