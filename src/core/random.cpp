#include "core/random.hpp"

#include <bit>

#include "core/error.hpp"

namespace weir {

Shuffle::Shuffle(std::uint64_t n, std::uint64_t seed) : n_(n), keys_{} {
    expect(n > 0, "there is something to shuffle");
    auto const bits = static_cast<unsigned>(std::bit_width(n - 1));
    half_bits_ = bits < 2 ? 1 : (bits + 1) / 2;
    half_mask_ = (half_bits_ == 32) ? 0xffffffffU : (1ULL << half_bits_) - 1;
    for (auto& key : keys_) {
        seed = mix(seed);
        key = seed;
    }
}

std::uint64_t Shuffle::encipher(std::uint64_t x) const {
    auto left = x >> half_bits_;
    auto right = x & half_mask_;
    for (auto const key : keys_) {
        // One multiplication a round is enough mixing for an access order, and four times cheaper than mix().
        auto const f = ((right + key) * 0x9e3779b97f4a7c15U) >> 32U;
        auto const next = left ^ ((f ^ (f >> 13U)) & half_mask_);
        left = right;
        right = next;
    }
    return (left << half_bits_) | right;
}

std::uint64_t Shuffle::operator()(std::uint64_t index) const {
    do {
        index = encipher(index);
    } while (index >= n_);
    return index;
}

}  // namespace weir
