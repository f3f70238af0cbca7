#include "pattern/combined_parts.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace weir {

namespace {

/// The box that these parts are together, if they are blocks and fill it.
std::optional<Section> box_of(std::span<Section const> parts) {
    if (parts.empty()) {
        return {};
    }
    auto box = parts.front();
    std::uint64_t bytes = 0;
    for (auto const& part : parts) {
        bytes += part.bytes();
        for (std::size_t k = 0; k < box.dims; ++k) {
            auto const& dim = part.dim[k];
            if (!dim.one_block()) {
                return {};
            }
            auto& whole = box.dim[k];
            auto const end = std::max(whole.first + whole.owned, dim.first + dim.owned);
            whole.first = std::min(whole.first, dim.first);
            whole.owned = whole.block = whole.stride = end - whole.first;
        }
    }
    if (box.bytes() != bytes) {
        return {};
    }
    std::int64_t stride = 1;
    for (auto k = box.dims; k-- > 0;) {
        box.dim[k].memory_stride = stride;
        stride *= static_cast<std::int64_t>(box.dim[k].owned);
    }
    box.memory = 0;
    return box;
}

}  // namespace

CombinedParts::CombinedParts(std::vector<Section> parts) : parts_(std::move(parts)), box_(box_of(parts_)) {
    for (auto const& one : parts_) {
        auto const part = coalesced(one);
        part.each(0, part.bytes(), [&](Rows const& rows) {
            for (std::uint64_t row = 0; row < rows.rows; ++row) {
                runs_.push_back({rows.position + row * rows.position_step, rows.length, bytes_});
                bytes_ += rows.length;
            }
        });
    }
    std::ranges::sort(runs_, {}, &PartRun::position);
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
