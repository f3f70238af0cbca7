#include "pattern/combined_parts.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace weir {

CombinedParts::CombinedParts(std::vector<Section> parts) : parts_(std::move(parts)) {
    for (auto const& part : parts_) {
        part.each(0, part.bytes(), [&](Rows const& rows) {
            for (std::uint64_t row = 0; row < rows.rows; ++row) {
                runs_.push_back({rows.position + row * rows.position_step, rows.length, bytes_});
                bytes_ += rows.length;
            }
        });
    }
    std::ranges::sort(runs_, {}, &Run::position);
    for (auto const& run : runs_) {
        if (!pieces_.empty() && pieces_.back().offset + pieces_.back().length == run.position) {
            pieces_.back().length += run.length;
        } else {
            pieces_.push_back({run.position, run.length});
        }
    }
}

void CombinedParts::pack(std::span<std::byte const> of_ranks, std::span<std::byte> of_request) const {
    auto* to = of_request.data();
    for (auto const& run : runs_) {
        std::memcpy(to, of_ranks.data() + run.from, run.length);
        to += run.length;
    }
}

void CombinedParts::unpack(std::span<std::byte const> of_request, std::span<std::byte> of_ranks) const {
    auto const* from = of_request.data();
    for (auto const& run : runs_) {
        std::memcpy(of_ranks.data() + run.from, from, run.length);
        from += run.length;
    }
}

}  // namespace weir
