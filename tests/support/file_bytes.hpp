#pragma once

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace weir::testing {

inline std::vector<std::byte> bytes_of_file(std::string const& path) {
    std::ifstream file(path, std::ios::binary);
    std::string const text{std::istreambuf_iterator<char>(file), {}};
    auto const* first = reinterpret_cast<std::byte const*>(text.data());
    return {first, first + text.size()};
}

inline void make_file(std::string const& path, std::vector<std::byte> const& bytes) {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<char const*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

/// Changes these bits of one byte of a file.
inline void flip_bits(std::string const& path, std::size_t at, unsigned char bits) {
    auto bytes = bytes_of_file(path);
    bytes.at(at) ^= std::byte{bits};
    make_file(path, bytes);
}

/// The first difference, in words; nothing where there is none.
inline std::string difference(std::vector<std::byte> const& is, std::vector<std::byte> const& should) {
    auto const [a, b] = std::ranges::mismatch(is, should);
    if (a == is.end() && b == should.end()) {
        return {};
    }
    return "byte " + std::to_string(a - is.begin()) + " differs; the file has " + std::to_string(is.size()) + " of " +
           std::to_string(should.size()) + " bytes";
}

}  // namespace weir::testing
