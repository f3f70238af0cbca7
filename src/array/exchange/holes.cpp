#include "array/exchange/holes.hpp"

#include <cstring>

namespace weir::array {

std::uint64_t KeptHoles::gap() const { return std::uint64_t{64} << 10; }

void KeptHoles::supply(Sink& sink, SlotExtent const& extent, std::span<std::byte> bytes,
                       std::span<SlotExtent const> holes, std::span<std::byte> scratch) const {
    auto const first = holes.front().position - extent.position;
    auto const end = holes.back().position + holes.back().length - extent.position;
    sink.read_old(extent.position + first, scratch.first(end - first));
    for (auto const& hole : holes) {
        auto const at = hole.position - extent.position;
        std::memcpy(bytes.data() + at, scratch.data() + (at - first), hole.length);
    }
}

void FilledHoles::supply(Sink&, SlotExtent const& extent, std::span<std::byte> bytes, std::span<SlotExtent const> holes,
                         std::span<std::byte>) const {
    for (auto const& hole : holes) {
        auto* const to = bytes.data() + (hole.position - extent.position);
        arrays_.each_array(hole.position, hole.length, [&](auto array, auto start, auto before, auto length) {
            auto const& value = arrays_.descriptions[array].fill;
            if (value.empty()) {
                std::memset(to + before, 0, length);
                return;
            }
            for (std::uint64_t i = 0; i < length; ++i) {  // a window may begin within an element
                to[before + i] = value[(start + i) % value.size()];
            }
        });
    }
}

}  // namespace weir::array
