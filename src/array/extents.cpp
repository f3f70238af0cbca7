#include "array/extents.hpp"

#include <algorithm>

namespace weir::array {

std::vector<Stretch> all_of(Region const& region, std::pair<std::uint64_t, std::uint64_t> ordinals) {
    std::vector<Stretch> all;
    region.each_piece(ordinals.first, ordinals.second,
                      [&](std::uint64_t position, std::uint64_t length, std::uint64_t ordinal) {
                          all.push_back({position, length, ordinal - ordinals.first});
                      });
    return all;
}

std::vector<Stretch> filled_by(std::vector<Window> const& shares, std::uint64_t gap) {
    std::vector<Stretch> rows;
    for (auto const& window : shares) {
        window.each_row([&](Part const&, Rows const& r, std::uint64_t offset) {
            for (std::uint64_t i = 0; i < r.rows; ++i) {
                rows.push_back({r.position + i * r.position_step, r.length, offset + i * r.position_step});
            }
        });
    }
    std::ranges::sort(rows, {}, &Stretch::position);
    std::vector<Stretch> merged;
    for (auto const& row : rows) {
        if (!merged.empty()) {
            auto& last = merged.back();
            bool const in_step = row.position - last.position == row.offset - last.offset;
            if (in_step && row.position <= last.position + last.length + gap) {
                last.length = std::max(last.length, row.position + row.length - last.position);
                continue;
            }
        }
        merged.push_back(row);
    }
    return merged;
}

}  // namespace weir::array
