#include "core/random.hpp"

#include <bit>

#include "core/error.hpp"

namespace weir {

Shuffle::Shuffle(std::uint64_t n, std::uint64_t seed) : n_(n), keys_{} {
    expect(n > 0, "there is something to shuffle");
    auto const bits = static_cast<unsigned>(std::bit_width(n - 1));
    low_bits_ = (bits + 1) / 2;
    low_mask_ = (1ULL << low_bits_) - 1;
    high_mask_ = (1ULL << (bits - low_bits_)) - 1;
    for (auto& key : keys_) {
        seed = mix(seed);
        key = seed;
    }
}

}  // namespace weir
