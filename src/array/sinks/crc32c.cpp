#include "array/sinks/crc32c.hpp"

#include <array>
#include <cstring>

namespace weir::array {
namespace {

constexpr std::uint32_t polynomial = 0x82F63B78;  // reflected: bit 31 is the coefficient of x^0

constexpr auto make_table() {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t i = 0; i < 256; ++i) {
        auto crc = i;
        for (int bit = 0; bit < 8; ++bit) {
            crc = (crc >> 1) ^ ((crc & 1) != 0 ? polynomial : 0);
        }
        table[i] = crc;
    }
    return table;
}

/// The product of two polynomials modulo the generator.
constexpr std::uint32_t multiply(std::uint32_t a, std::uint32_t b) {
    std::uint32_t product = 0;
    for (std::uint32_t bit = std::uint32_t{1} << 31; bit != 0; bit >>= 1) {
        if ((a & bit) != 0) {
            product ^= b;
        }
        b = (b >> 1) ^ ((b & 1) != 0 ? polynomial : 0);
    }
    return product;
}

/// x^(8 * 2^k): the factor for a checksum when 2^k bytes follow.
constexpr auto make_powers() {
    std::array<std::uint32_t, 64> powers{};
    auto power = std::uint32_t{1} << 23;  // x^8
    for (auto& p : powers) {
        p = power;
        power = multiply(power, power);
    }
    return powers;
}

std::uint32_t by_table(std::uint32_t crc, std::span<std::byte const> data) {
    static constexpr auto table = make_table();
    for (auto const byte : data) {
        crc = (crc >> 8) ^ table[(crc ^ static_cast<std::uint32_t>(byte)) & 0xFF];
    }
    return crc;
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("sse4.2"))) std::uint32_t by_instruction(std::uint32_t crc, std::span<std::byte const> data) {
    std::uint64_t wide = crc;
    while (data.size() >= sizeof wide) {
        std::uint64_t word = 0;
        std::memcpy(&word, data.data(), sizeof word);
        wide = __builtin_ia32_crc32di(wide, word);
        data = data.subspan(sizeof word);
    }
    return by_table(static_cast<std::uint32_t>(wide), data);
}
bool has_instruction() { return __builtin_cpu_supports("sse4.2") != 0; }
#else
std::uint32_t by_instruction(std::uint32_t crc, std::span<std::byte const> data) { return by_table(crc, data); }
bool has_instruction() { return false; }
#endif

}  // namespace

std::uint32_t crc32c(std::span<std::byte const> data) {
    return ~(has_instruction() ? by_instruction(~std::uint32_t{0}, data) : by_table(~std::uint32_t{0}, data));
}

std::uint32_t crc32c_followed_by(std::uint32_t crc, std::uint64_t bytes) {
    static constexpr auto powers = make_powers();
    for (std::size_t k = 0; bytes != 0; bytes >>= 1, ++k) {
        if ((bytes & 1) != 0) {
            crc = multiply(powers[k], crc);
        }
    }
    return crc;
}

}  // namespace weir::array
