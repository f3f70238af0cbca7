#include "array/layout/share_index.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace weir::array {

ShareIndex::ShareIndex(Share const& share) {
    if (share.size() <= fan) {
        return;
    }
    std::vector<Span> lowest((share.size() + fan - 1) / fan);
    for (std::size_t i = 0; i < share.size(); ++i) {
        auto& span = lowest[i / fan];
        span.begin = std::min(span.begin, share[i].begin());
        span.end = std::max(span.end, share[i].end());
    }
    levels_.push_back(std::move(lowest));
    while (levels_.back().size() > fan) {
        auto const& below = levels_.back();
        std::vector<Span> level((below.size() + fan - 1) / fan);
        for (std::size_t i = 0; i < below.size(); ++i) {
            auto& span = level[i / fan];
            span.begin = std::min(span.begin, below[i].begin);
            span.end = std::max(span.end, below[i].end);
        }
        levels_.push_back(std::move(level));
    }
}

std::uint64_t ShareIndex::memory_bytes() const {
    auto sum = levels_.capacity() * sizeof(levels_.front());
    for (auto const& level : levels_) {
        sum += level.capacity() * sizeof(Span);
    }
    return sum;
}

Share sorted(Share share) {
    auto const earlier = [](Part const& a, Part const& b) {
        return a.array() != b.array() ? a.array() < b.array() : a.begin() < b.begin();
    };
    if (!std::ranges::is_sorted(share, earlier)) {
        std::ranges::stable_sort(share, earlier);
    }
    return share;
}

namespace {

constexpr std::size_t many_boxes = 64;
constexpr std::uint64_t few_pieces = 8;  ///< of a box, in the mean

/// Is it better a list? Of one array, and of boxes.
bool better_listed(std::span<Part const> boxes, std::uint64_t window) {
    std::uint64_t pieces = 0;
    std::uint64_t windows = 0;
    for (auto const& box : boxes) {
        pieces += count_runs(box);
        windows += (box.end() - box.begin()) / window + 1;
    }
    return boxes.size() >= many_boxes && (pieces <= few_pieces * boxes.size() || pieces < windows);
}

std::shared_ptr<Pieces const> pieces_of(std::span<Part const> boxes) {
    std::vector<LocalPiece> pieces;
    for (auto const& box : boxes) {
        box.each(0, box.bytes(), [&](Rows const& rows) {
            for (std::uint64_t i = 0; i < rows.rows; ++i) {
                auto const row = static_cast<std::int64_t>(i);
                pieces.push_back(
                    {rows.position + i * rows.position_step, rows.length, rows.memory + row * rows.memory_step});
            }
        });
    }
    return std::make_shared<Pieces const>(std::move(pieces));
}

}  // namespace

Share with_lists(Share share, std::uint64_t window) {
    Share all;
    for (std::span<Part const> rest(share); !rest.empty();) {
        auto const is_other = [&](Part const& part) {
            return part.section() == nullptr || part.array() != rest.front().array();
        };
        auto const end = std::find_if(rest.begin() + 1, rest.end(), is_other);
        auto const some = rest.first(static_cast<std::size_t>(end - rest.begin()));
        auto const list = some.front().section() != nullptr && better_listed(some, window) ? pieces_of(some) : nullptr;
        if (list && list->first_overlap() == list->size()) {
            all.emplace_back(PieceList(list, 1, 0, some.front().array()));
        } else {
            all.insert(all.end(), some.begin(), some.end());
        }
        rest = rest.subspan(some.size());
    }
    return all;
}

}  // namespace weir::array
