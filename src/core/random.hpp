#pragma once

#include <cstdint>

namespace weir {

/// Mixes 64 bits so that every input bit affects every output bit. Steele, Lea, Flood: Fast splittable pseudorandom
/// number generators, OOPSLA 2014 (finaliser of SplitMix64).
constexpr std::uint64_t mix(std::uint64_t x) {
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31U);
}

/// A number below `n` (n > 0), equally likely up to n / 2^64, from 64 random bits. Lemire, ACM TOMACS 29 (2019).
constexpr std::uint64_t below(std::uint64_t n, std::uint64_t bits) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>((static_cast<Wide>(bits) * n) >> 64U);
}

/// A pseudo-random permutation of 0 .. n-1 that takes no memory: a Feistel network of 4 rounds over the smallest number
/// of bits that holds n, repeated until the result is below n (cycle walking). Black, Rogaway: Ciphers with arbitrary
/// finite domains, CT-RSA 2002.
class Shuffle {
  public:
    Shuffle(std::uint64_t n, std::uint64_t seed);

    /// The new index of element `index` (below n); a bijection of 0 .. n-1.
    [[nodiscard]] std::uint64_t operator()(std::uint64_t index) const {
        do {
            index = encipher(index);
        } while (index >= n_);
        return index;
    }

    /// The inverse permutation.
    [[nodiscard]] std::uint64_t inverse(std::uint64_t place) const {
        do {
            place = decipher(place);
        } while (place >= n_);
        return place;
    }

  private:
    /// One multiplication per round mixes enough for an access order, and is four times cheaper than mix().
    [[nodiscard]] static std::uint64_t scramble(std::uint64_t half, std::uint64_t key) {
        return ((half + key) * 0x9e3779b97f4a7c15U) >> 32U;
    }

    [[nodiscard]] std::uint64_t encipher(std::uint64_t x) const {
        auto high = x >> low_bits_;
        auto low = x & low_mask_;
        high ^= scramble(low, keys_[0]) & high_mask_;
        low ^= scramble(high, keys_[1]) & low_mask_;
        high ^= scramble(low, keys_[2]) & high_mask_;
        low ^= scramble(high, keys_[3]) & low_mask_;
        return (high << low_bits_) | low;
    }

    [[nodiscard]] std::uint64_t decipher(std::uint64_t x) const {
        auto high = x >> low_bits_;
        auto low = x & low_mask_;
        low ^= scramble(high, keys_[3]) & low_mask_;
        high ^= scramble(low, keys_[2]) & high_mask_;
        low ^= scramble(high, keys_[1]) & low_mask_;
        high ^= scramble(low, keys_[0]) & high_mask_;
        return (high << low_bits_) | low;
    }

    std::uint64_t n_;
    unsigned low_bits_;
    std::uint64_t low_mask_;
    std::uint64_t high_mask_;
    std::uint64_t keys_[4];
};

}  // namespace weir
