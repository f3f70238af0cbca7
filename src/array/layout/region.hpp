#pragma once

#include <cstdint>
#include <vector>

#include "core/array_section.hpp"

namespace weir::array {

/// The part of the plan's space that a group of ranks moves: consecutive sections, whose bytes are numbered by
/// ordinals. Aggregators write the region's contiguous pieces.
class Region {
  public:
    Region() = default;
    explicit Region(std::vector<Section> const& sections);

    /// All of the space.
    static Region whole(std::uint64_t bytes);

    [[nodiscard]] std::uint64_t bytes() const { return starts_.empty() ? 0 : starts_.back(); }

    /// The number of contiguous pieces, not counting that two may happen to be adjacent.
    [[nodiscard]] std::uint64_t pieces() const;

    /// Contiguous pieces of ordinals [from, to): visit(position, length, ordinal of the first byte).
    template <class Visit>
    void each_piece(std::uint64_t from, std::uint64_t to, Visit&& visit) const {
        for (auto i = section_of(from); i < sections_.size() && starts_[i] < to; ++i) {
            auto ordinal = std::max(from, starts_[i]);
            auto const end = std::min(to, starts_[i + 1]);
            sections_[i].each(ordinal - starts_[i], end - starts_[i], [&](Rows const& rows) {
                for (std::uint64_t row = 0; row < rows.rows; ++row, ordinal += rows.length) {
                    visit(rows.position + row * rows.position_step, rows.length, ordinal);
                }
            });
        }
    }

  private:
    /// The section that holds this byte; the number of sections if it is past the end.
    [[nodiscard]] std::size_t section_of(std::uint64_t ordinal) const;

    std::vector<Section> sections_;
    std::vector<std::uint64_t> starts_;  ///< first ordinals, and the total at the end
};

}  // namespace weir::array
