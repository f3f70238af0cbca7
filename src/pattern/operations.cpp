#include "pattern/operations.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "pattern/combined_parts.hpp"

namespace weir {
namespace {

std::vector<Piece> in_file_order(std::vector<Piece> pieces) {
    std::sort(pieces.begin(), pieces.end(), [](Piece const& a, Piece const& b) { return a.offset < b.offset; });
    std::size_t last = 0;
    for (std::size_t i = 1; i < pieces.size(); ++i) {
        auto& before = pieces[last];
        auto const end = before.offset + before.length;
        validate(pieces[i].offset >= end, "the pieces of one request overlap", "its data would depend on their order",
                 "Leave together out, or make the pieces disjoint.");
        if (pieces[i].offset == end) {
            before.length += pieces[i].length;
        } else {
            pieces[++last] = pieces[i];
        }
    }
    pieces.resize(std::min(pieces.size(), last + 1));
    return pieces;
}

}  // namespace

std::vector<Piece> pieces_of(Section const& part) {
    auto const section = coalesced(part);
    std::vector<Piece> runs;
    runs.reserve(count_runs(section));
    section.each(0, section.bytes(), [&](Rows const& rows) {
        for (std::uint64_t row = 0; row < rows.rows; ++row) {
            runs.push_back({rows.position + row * rows.position_step, rows.length});
        }
    });
    return runs;
}

std::vector<Piece> pieces_of_all(std::vector<Section> const& parts) {
    if (parts.size() == 1) {
        return pieces_of(parts.front());
    }
    CombinedParts const combined(parts);
    return {combined.pieces().begin(), combined.pieces().end()};
}

Operations::Operations(Access const& access, Rank rank) : kind_(access.order.kind), length_(access.extent.length) {
    if (!access.ranks.contains(rank)) {
        return;
    }
    count_ = pieces_of(access, rank);
    auto const position = access.ranks.index_of(rank);
    key_ = mix(access.order.seed ^ mix(rank.value));
    if (access.part) {
        runs_ = pieces_of_all(sections_of(access, rank));
        list_ = runs_;
        count_ = runs_.size();
        return;
    }
    if (!access.lists.empty()) {
        list_ = access.lists.of(position);
        start_ = access.extent.start;
        if (kind_ == OrderKind::shuffled) {
            shuffle_.emplace(std::max<std::uint64_t>(1, list_.size()), key_);
        }
        return;
    }
    start_ = extent_of(access, rank).start;
    offset_ = start_;
    pieces_ = pieces(access.extent.levels);
    auto const levels = merged(access.extent.levels);
    for (auto level = levels.rbegin(); level != levels.rend(); ++level) {
        digits_.push_back({level->count, level->count, level->stride});
    }
    if (kind_ == OrderKind::shuffled) {
        shuffle_.emplace(pieces_, key_);
    } else if (kind_ == OrderKind::random_partition) {
        partition_from_ = position * access.order.draws;
        shuffle_.emplace(pieces_, mix(access.order.seed));  // the same shuffle on every rank
    }
}

void Operations::jump(Operation& operation) {
    auto const turn = partition_from_ + made_ - 1;
    if (!list_.empty()) {
        auto const place = shuffle_ ? (*shuffle_)(turn) : turn;
        operation = {start_ + list_[place].offset, list_[place].length, place};
        return;
    }
    auto const ordinal = shuffle_ ? (*shuffle_)(turn) : below(pieces_, mix(key_ + turn));
    auto rest = ordinal;
    auto offset = start_;
    // The slowest digit is the remaining quotient, without a division.
    for (std::size_t i = 0; i + 1 < digits_.size(); ++i) {
        auto const above = rest / digits_[i].count;
        offset += (rest - above * digits_[i].count) * static_cast<std::uint64_t>(digits_[i].stride);
        rest = above;
    }
    if (!digits_.empty()) {
        offset += rest * static_cast<std::uint64_t>(digits_.back().stride);
    }
    operation = {offset, length_, ordinal};
}

std::vector<Piece> list_io_pieces(Access const& access, Rank rank) {
    std::vector<Piece> pieces;
    Operations operations(access, rank);
    pieces.reserve(operations.count());
    for (Operation operation; operations.next(operation);) {
        pieces.push_back({operation.offset, operation.length});
    }
    return in_file_order(std::move(pieces));
}

}  // namespace weir
