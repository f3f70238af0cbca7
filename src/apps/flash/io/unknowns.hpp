#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/memory.hpp"
#include "storage/strided_memory.hpp"

namespace weir::flash {

/// FLASH's 24 unknowns, in the order of its memory: 11 of the gas, 13 species. Names have 4 characters.
constexpr std::array<std::string_view, 24> unknown_names{
    "dens", "velx", "vely", "velz", "pres", "ener", "temp", "gamc", "game", "enuc", "gpot", "f1  ",
    "f2  ", "f3  ", "f4  ", "f5  ", "f6  ", "f7  ", "f8  ", "f9  ", "f10 ", "f11 ", "f12 ", "f13 "};

/// Those in plot files: dens, temp, pres, f1.
constexpr std::array<std::size_t, 4> plotted_unknowns{0, 6, 4, 11};

/// Which index runs fastest in memory: the unknown, as in FLASH's `unk`, or the cell along x, an array for each
/// unknown.
enum class MemoryOrder { interleaved, separate };
constexpr std::array<std::string_view, 2> enum_names(MemoryOrder) { return {"interleaved", "separate"}; }
constexpr std::array<std::string_view, 2> enum_words(MemoryOrder) {
    return {"unknowns interleaved in memory", "unknowns apart in memory"};
}

/// Unknown number i, counted from 1, is i everywhere, as in the benchmark; or each value is random, which no
/// compression can shrink.
enum class UnknownValues { number, random };
constexpr std::array<std::string_view, 2> enum_names(UnknownValues) { return {"number", "random"}; }

/// Unknowns are copied out of memory before they are written, or by the library that writes them.
enum class Packing { copy, library };
constexpr std::array<std::string_view, 2> enum_names(Packing) { return {"copy", "library"}; }
constexpr std::array<std::string_view, 2> enum_words(Packing) {
    return {"packed before", "packed by HDF5's memory hyperslab"};
}

/// A random value in [0, 1), always the same at a place.
double random_value(std::uint64_t place);

/// The unknowns of one rank's blocks, with 4 guard cells on each side of a block.
class Unknowns {
  public:
    static constexpr std::size_t guards = 4;

    /// `before`: blocks of the ranks before this one.
    Unknowns(std::size_t blocks, std::size_t side, MemoryOrder, UnknownValues values = UnknownValues::number,
             std::uint64_t before = 0);

    /// The place of a random value: of a block among those of all ranks, and a cell, guard cells included, x fastest.
    [[nodiscard]] std::uint64_t place_of(std::size_t unknown, std::uint64_t block, std::size_t cell) const {
        return (block * width_ * width_ * width_ + cell) * unknown_names.size() + unknown;
    }

    /// Some consecutive blocks.
    struct BlockRange {
        std::size_t first = 0;
        std::size_t end = 0;
    };

    /// Copies an unknown of these blocks without guard cells, [block][z][y][x], as `Stored` (double or float).
    template <class Stored>
    void copy(std::size_t unknown, BlockRange, std::span<Stored>) const;

    /// Where an unknown of all blocks is.
    [[nodiscard]] StridedMemory in_memory(std::size_t unknown) const;

    /// The same at the (side + 1)^3 corners of the cells: means of the 8 cells around each.
    void copy_corners(std::size_t unknown, BlockRange, std::span<float>) const;

    [[nodiscard]] std::size_t blocks() const { return blocks_; }

    static std::uint64_t bytes(std::uint64_t blocks, std::uint64_t side) {
        auto const width = side + 2 * guards;
        return blocks * width * width * width * unknown_names.size() * sizeof(double);
    }

  private:
    /// The value at the first guard cell of a block.
    [[nodiscard]] double* start_of(std::size_t unknown, std::size_t block) const;

    std::size_t blocks_, side_, width_;
    std::size_t step_;  ///< distance of neighbours along x
    MemoryOrder order_;
    Buffer memory_;
    double* values_;  ///< there
};

}  // namespace weir::flash
