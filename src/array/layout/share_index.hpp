#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "array/layout/share.hpp"

namespace weir::array {

/// Which parts of a share can have bytes at some positions, found without asking each: a rank may hold a box or a piece
/// in each of ten thousand places, and an exchange asks for each window.
///
/// A tree of spans over the parts in their own order: the order in which rows are packed into messages, which must be
/// the same on both sides. Quick if neighbours in the share are neighbours in the file, as sorted() makes them.
class ShareIndex {
  public:
    ShareIndex() = default;
    explicit ShareIndex(Share const&);

    /// visit(part) for those that may have bytes at positions [from, to), in the share's order.
    template <class Visit>
    void each(Share const& share, std::uint64_t from, std::uint64_t to, Visit&& visit) const {
        if (levels_.empty()) {
            for (auto const& part : share) {
                visit(part);
            }
            return;
        }
        descend(share, levels_.size(), 0, from, to, visit);
    }

    [[nodiscard]] std::uint64_t memory_bytes() const;

  private:
    static constexpr std::size_t fan = 8;  ///< spans of a lower level, or parts, that one span is of

    struct Span {
        std::uint64_t begin = ~std::uint64_t{0};
        std::uint64_t end = 0;
    };

    template <class Visit>
    void descend(Share const& share, std::size_t level, std::size_t group, std::uint64_t from, std::uint64_t to,
                 Visit& visit) const {
        auto const first = group * fan;
        if (level == 0) {
            for (auto i = first; i < std::min(first + fan, share.size()); ++i) {
                visit(share[i]);
            }
            return;
        }
        auto const& spans = levels_[level - 1];
        for (auto i = first; i < std::min(first + fan, spans.size()); ++i) {
            if (spans[i].begin < to && from < spans[i].end) {
                descend(share, level - 1, i, from, to, visit);
            }
        }
    }

    std::vector<std::vector<Span>> levels_;  ///< the lowest first; none for a few parts, which are all visited
};

/// The same parts, those of each array in the order of their first bytes.
Share sorted(Share);

/// The same bytes, with a list of pieces in the place of an array's boxes if these are many, do not overlap, and have
/// few pieces each, so that the list takes less memory; or span more windows of this size than they have pieces: in a
/// list, a window's part is found by bisection, where wide boxes, such as columns, are asked in each window that they
/// span.
Share with_lists(Share, std::uint64_t window);

}  // namespace weir::array
