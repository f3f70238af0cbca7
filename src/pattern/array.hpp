#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/array_section.hpp"

namespace weir {

/// What an element of an array is: formats store it as a type of theirs, byte files its bytes alone.
struct Element {
    enum class Kind { integer, natural, real, text };  ///< signed, unsigned, IEEE 754, characters
    Kind kind = Kind::real;
    std::uint64_t bytes = 8;

    bool operator==(Element const&) const = default;
};

/// As NumPy writes types: "i4", "u1", "f8", "S24"; the byte order is the machine's.
std::string to_text(Element);

/// Throws Error (usage), naming `where`, for what is no such type.
Element element_from_text(std::string_view text, std::string const& where);

/// An array in a file, the slowest dimension first. Formats make a dataset or a variable of it.
struct Array {
    std::string name;
    Element element;
    std::vector<std::uint64_t> shape;       ///< none: one element
    std::optional<std::uint64_t> offset{};  ///< of its first byte, where files are bytes; none: it is not stored there

    bool operator==(Array const&) const = default;
};

std::uint64_t bytes_of(Array const&);

/// How ranks divide an array among them: in blocks on a grid, or by counts along its slowest dimension. A rank's part
/// lies in its memory as in the file, without gaps.
struct Partition {
    /// Ranks along each dimension, the last one's running fastest; 0, and none: as square as can be.
    std::vector<std::uint64_t> grid{};
    /// Elements of a block along each dimension (block-cyclic); 0, and none: one even block each, the first ranks one
    /// element more.
    std::vector<std::uint64_t> block{};
    std::vector<std::uint64_t> counts{};  ///< in place of them: places along the slowest dimension, rank by rank
    bool cycle = false;                   ///< the counts start again where there are more ranks

    bool operator==(Partition const&) const = default;
};

/// The ranks along each dimension of the array, without zeros where it fits so many.
std::vector<std::uint64_t> grid_of(Array const&, Partition const&, std::uint64_t ranks);

/// The part that the rank at this place among `ranks` has. Its positions count from the file's first byte, or from the
/// array's where that is not stored among bytes.
Section part_of(Array const&, Partition const&, std::uint64_t place, std::uint64_t ranks);

/// What a rank has in common with another one.
struct Common {
    std::uint64_t rank = 0;  ///< its place among the ranks
    std::uint64_t bytes = 0;

    bool operator==(Common const&) const = default;
};

/// With whom the rank at this place has bytes in common, where it divides the array by `mine` and the others, itself
/// among them, by `theirs`; no partition: the first rank has all of it. Blocks on grids alone. Takes time by the ranks
/// that are found.
std::vector<Common> in_common(Array const&, std::optional<Partition> const& mine, std::uint64_t place,
                              std::optional<Partition> const& theirs, std::uint64_t ranks);

/// Why these ranks cannot divide the array so; nothing where they can.
std::optional<std::string> misfit(Array const&, Partition const&, std::uint64_t ranks);

}  // namespace weir
