#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/array_section.hpp"
#include "pattern/element.hpp"

namespace weir {

/// An array in a file, the slowest dimension first. Formats store it as a dataset or a variable, or as an attribute.
struct Array {
    std::string name;
    Element element;
    std::vector<std::uint64_t> shape;       ///< none: a scalar
    std::optional<std::uint64_t> offset{};  ///< of its first byte, in byte files; none: the format places it
    /// It is an attribute: of the file's array of this name, or of the file itself, if empty. Rank 0 alone accesses it.
    std::optional<std::string> attribute_of{};

    bool operator==(Array const&) const = default;
};

std::uint64_t bytes_of(Array const&);

/// Consecutive indices along the slowest dimension of an array.
struct IndexRange {
    std::uint64_t first = 0;
    std::uint64_t count = 0;

    bool operator==(IndexRange const&) const = default;
};

/// A partition of an array among ranks: blocks on a grid, or counts along its slowest dimension; or the same part for
/// all. A rank's part is contiguous in its memory, in file order.
struct Partition {
    /// Ranks along each dimension; 0, and none: as square as possible.
    std::vector<std::uint64_t> grid{};
    /// Elements of a block along each dimension (block-cyclic); 0, and none: one even block each, the first ranks one
    /// element more.
    std::vector<std::uint64_t> block{};
    std::vector<std::uint64_t> counts{};  ///< instead of these: indices along the slowest dimension, per rank
    bool cycle = false;                   ///< the counts repeat if there are more ranks
    bool first_fastest = false;           ///< ranks on the grid run fastest along the first dimension, not the last
    std::optional<IndexRange> same{};     ///< instead of all these: the part of every rank, for reading

    bool operator==(Partition const&) const = default;

    /// Blocks on a grid of ranks numbered as MPI_Cart_create does?
    [[nodiscard]] bool is_cartesian() const { return counts.empty() && !same && !first_fastest; }
};

/// The ranks along each dimension of the array, zeros replaced.
std::vector<std::uint64_t> grid_of(Array const&, Partition const&, std::uint64_t ranks);

/// The part of the rank at this position among `ranks`. Positions are offsets in the file, or in the array if it is not
/// stored as plain bytes.
Section part_of(Array const&, Partition const&, std::uint64_t place, std::uint64_t ranks);

/// The overlap of one rank with another.
struct Common {
    std::uint64_t rank = 0;  ///< its position among the ranks
    std::uint64_t bytes = 0;

    bool operator==(Common const&) const = default;
};

/// The ranks whose parts by `theirs` overlap this rank's part by `mine`, itself included; no partition: the first rank
/// has the complete array. Only for blocks on grids. Time grows with the number of ranks found.
std::vector<Common> in_common(Array const&, std::optional<Partition> const& mine, std::uint64_t place,
                              std::optional<Partition> const& theirs, std::uint64_t ranks);

/// Why these ranks cannot partition the array this way; nothing if they can.
std::optional<std::string> misfit(Array const&, Partition const&, std::uint64_t ranks);

}  // namespace weir
