#include "pattern/loops.hpp"

#include <algorithm>

namespace weir {

std::uint64_t times(Loops const& loops) {
    std::uint64_t product = 1;
    for (auto const count : loops) {
        product *= count;
    }
    return product;
}

void move_to(Access& now, Access const& access, Turns const& turns) {
    now.file = file_at(access, turns);
    now.extent.start = access.extent.start + static_cast<std::uint64_t>(displacement_at(access.advance, turns));
}

Access at(Access const& access, Turns const& turns) {
    auto now = access;
    now.advance.clear();
    now.file_advance.clear();
    move_to(now, access, turns);
    return now;
}

std::map<std::uint64_t, std::int64_t> files_reached(std::uint64_t file, std::vector<std::int64_t> const& file_advance,
                                                    std::vector<std::int64_t> const& advance, Loops const& loops) {
    std::map<std::uint64_t, std::int64_t> reached{{file, 0}};
    for (std::size_t level = 0; level < loops.size(); ++level) {
        auto const files = level < file_advance.size() ? file_advance[level] : 0;
        auto const bytes = level < advance.size() ? advance[level] : 0;
        auto const last = static_cast<std::int64_t>(loops[level]) - 1;
        std::map<std::uint64_t, std::int64_t> next;
        for (auto const& [index, farthest] : reached) {
            if (files == 0) {
                next[index] = farthest + std::max<std::int64_t>(0, last * bytes);
                continue;
            }
            for (std::int64_t turn = 0; turn <= last; ++turn) {
                auto const there = index + static_cast<std::uint64_t>(turn * files);
                auto const [at, is_new] = next.try_emplace(there, farthest + turn * bytes);
                at->second = is_new ? at->second : std::max(at->second, farthest + turn * bytes);
            }
        }
        reached = std::move(next);
    }
    return reached;
}

}  // namespace weir
