#pragma once

#include <vector>

#include "core/random.hpp"
#include "pattern/pattern.hpp"

namespace weir::testing {

/// An irregular decomposition: the pieces of a file, some shorter than others, each of one of the ranks.
inline PieceLists irregular_lists(std::uint64_t ranks, std::uint64_t pieces, std::uint64_t word) {
    std::vector<std::vector<Piece>> lists(ranks);
    std::uint64_t offset = 0;
    for (std::uint64_t i = 0; i < pieces; ++i) {
        auto const length = word * (1 + mix(i) % 5);
        lists[mix(i + pieces) % ranks].push_back({offset, length});
        offset += length + (mix(i) % 7 == 0 ? word : 0);
    }
    return PieceLists(lists);
}

/// Writes such pieces, and checks them.
inline Pattern irregular_pattern(std::uint64_t ranks, std::uint64_t pieces, bool list_io, bool collective) {
    Access access;
    access.ranks = {0, ranks, 1};
    access.lists = irregular_lists(ranks, pieces, 8);
    access.list_io = list_io;
    auto checked = access;
    checked.verb = Verb::check;
    Phase const write{"write", collective, {}, {}, false, "", {Open{0, OpenMode::create}, access, Close{0}}};
    Phase const check{"check", collective, {}, {}, false, "", {Open{0, OpenMode::read}, checked, Close{0}}};
    return {"irregular", ranks, {{"data", false, 0}}, {write, check}};
}

}  // namespace weir::testing
